package gitrepo

// maxLinkTarget bounds the target of a symbolic link, in bytes.
const maxLinkTarget = 4096

// ReadLink returns the target of the symbolic link called name, as stored. It
// follows nothing: whether the target may be read is for the caller to decide.
// Errors: those of [Tree.Stat], and *[NotFileError] for anything but a link.
func (t *Tree) ReadLink(name string) (string, error) {
	entry, err := t.Stat(name)
	if err != nil {
		return "", err
	}
	if !entry.Mode.IsSymlink() {
		return "", &NotFileError{Rev: t.rev, Path: name, Mode: entry.Mode}
	}
	found, err := t.object(entry.OID, kindBlob, name)
	if err != nil {
		return "", err
	}
	if len(found.data) > maxLinkTarget {
		return "", &PathError{Rev: t.rev, Path: name}
	}
	return string(found.data), nil
}
