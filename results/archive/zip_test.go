package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// member is one entry of a test archive.
type member struct {
	name, content string
	store         bool
	mode          fs.FileMode
}

func build(t testing.TB, members ...member) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: time.Date(2026, 9, 14, 10, 5, 0, 0, time.UTC)}
		if m.store {
			h.Method = zip.Store
		}
		if m.mode != 0 {
			h.SetMode(m.mode)
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, m.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func open(data []byte, limits Limits) (*Zip, error) {
	return OpenZip(bytes.NewReader(data), int64(len(data)), limits)
}

func readAll(c Content, name string) (string, error) {
	in, err := c.Open(name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	return string(data), err
}

func reasonOf(err error) Reason {
	var refused *Error
	if errors.As(err, &refused) {
		return refused.Reason
	}
	return Reason(fmt.Sprint(err))
}

func TestReads(t *testing.T) {
	data := build(t, member{name: "b/"}, member{name: "b/two.json", content: "[2]"}, member{name: "a.json", content: "{}", store: true}, member{name: "empty"})
	z, err := open(data, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	when := time.Date(2026, 9, 14, 10, 5, 0, 0, time.UTC)
	want := []File{{"a.json", 2, when}, {"b/two.json", 3, when}, {"empty", 0, when}}
	if diff := cmp.Diff(want, z.Files()); diff != "" {
		t.Error(diff)
	}
	for name, content := range map[string]string{"a.json": "{}", "b/two.json": "[2]", "empty": ""} {
		if got, err := readAll(z, name); err != nil || got != content {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := z.Open("c"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// TestS53 has the hostile archives of S53: each is refused, with its reason.
func TestS53(t *testing.T) {
	small := Limits{Entries: 10, Directory: 10_000, Total: 64 << 10, File: 4 << 20, Ratio: 20}
	many := make([]member, 11)
	for i := range many {
		many[i].name = fmt.Sprint("f", i)
	}
	ok := build(t, member{name: "a.json", content: "{}"})
	for name, c := range map[string]struct {
		data   []byte
		reason Reason
	}{
		"empty":               {nil, Truncated},
		"short":               {[]byte("PK\x03\x04"), Truncated},
		"web page":            {[]byte("<!DOCTYPE html><html>not found</html>"), NotZip},
		"JSON error":          {[]byte(`{"message":"Not Found"}`), NotZip},
		"gzip":                {[]byte("\x1f\x8b\x08\x00" + strings.Repeat("x", 40)), NotZip},
		"cut off":             {ok[:len(ok)-30], Truncated},
		"cut off head":        {ok[10:], NotZip},
		"parent":              {build(t, member{name: "../x"}), UnsafePath},
		"parent inside":       {build(t, member{name: "a/../../x"}), UnsafePath},
		"absolute":            {build(t, member{name: "/etc/passwd"}), UnsafePath},
		"drive":               {build(t, member{name: "C:/x"}), UnsafePath},
		"backslash":           {build(t, member{name: `..\x`}), UnsafePath},
		"stream":              {build(t, member{name: "a.json:x"}), UnsafePath},
		"device":              {build(t, member{name: "a/NUL.json"}), UnsafePath},
		"serial port":         {build(t, member{name: "com1"}), UnsafePath},
		"line feed":           {build(t, member{name: "a\nb"}), UnsafePath},
		"long":                {build(t, member{name: strings.Repeat("a", 2000)}), UnsafePath},
		"symbolic link":       {build(t, member{name: "a", content: "/etc/passwd", mode: fs.ModeSymlink | 0o777}), NotRegular},
		"device file":         {build(t, member{name: "a", mode: fs.ModeDevice | 0o600}), NotRegular},
		"too many":            {build(t, many...), TooMany},
		"too large":           {claiming(t, 5<<20), TooLarge},
		"too large together":  {build(t, member{name: "a", content: noise(40 << 10)}, member{name: "b", content: noise(40 << 10)}), TooLarge},
		"ratio":               {claiming(t, 3<<20), Bomb},
		"twice":               {build(t, member{name: "a"}, member{name: "a"}), TwiceNamed},
		"case only":           {build(t, member{name: "A.json"}, member{name: "a.json"}), TwiceNamed},
		"file and folder":     {build(t, member{name: "a"}, member{name: "a/b"}), TwiceNamed},
		"nested":              {build(t, member{name: "inner.ZIP", content: "PK"}), Nested},
		"folder with content": {folderWithContent(t), NotRegular},
		"encrypted":           {patch(build(t, member{name: "a.json", content: "{}"}), entrySignature, 8, 1), Encrypted},
		"method":              {patch(build(t, member{name: "a.json", content: "{}"}), entrySignature, 10, 99), Method},
		"several parts":       {patch(build(t, member{name: "a.json"}), endSignature, 4, 3), NotZip},
		"claims fewer":        {patch(build(t, member{name: "a"}, member{name: "b"}), endSignature, 10, 1), Inconsistent},
		"claims more":         {patch(build(t, member{name: "a"}), endSignature, 10, 2), Truncated},
		"overlap":             {overlapping(t), Overlapping},
	} {
		if _, err := open(c.data, small); reasonOf(err) != c.reason {
			t.Errorf("%s: got %v, want %s", name, err, c.reason)
		}
	}
}

// noise is text that does not compress.
func noise(n int) string {
	out := make([]byte, n)
	x := uint32(1)
	for i := range out {
		x = x*1664525 + 1013904223
		out[i] = byte(x >> 24)
	}
	return string(out)
}

// patch writes a 16-bit number at an offset behind the last record of a kind.
func patch(data []byte, signature uint32, offset int, value uint16) []byte {
	mark := make([]byte, 4)
	little.PutUint32(mark, signature)
	i := bytes.LastIndex(data, mark)
	little.PutUint16(data[i+offset:], value)
	return data
}

// claiming is an archive whose only file claims a size.
func claiming(t *testing.T, size uint32) []byte {
	data := build(t, member{name: "a", content: "abc"})
	mark := make([]byte, 4)
	little.PutUint32(mark, entrySignature)
	little.PutUint32(data[bytes.LastIndex(data, mark)+24:], size)
	return data
}

func folderWithContent(t *testing.T) []byte {
	data := build(t, member{name: "dirx", content: "{}"})
	return bytes.ReplaceAll(data, []byte("dirx"), []byte("dir/"))
}

// overlapping is an archive whose second entry lies inside of the first one.
func overlapping(t *testing.T) []byte {
	data := build(t, member{name: "a", content: strings.Repeat("x", 200), store: true}, member{name: "b", content: "x", store: true})
	mark := make([]byte, 4)
	little.PutUint32(mark, entrySignature)
	second := bytes.LastIndex(data, mark)
	little.PutUint32(data[second+42:], 40)
	return data
}

// TestLies has archives whose entries are not what the directory claims; they
// are refused while they are read.
func TestLies(t *testing.T) {
	content := strings.Repeat("0123456789", 50)
	fresh := func(store bool) []byte { return build(t, member{name: "a.json", content: content, store: store}) }
	inDirectory := func(data []byte, offset int, value uint32) []byte {
		mark := make([]byte, 4)
		little.PutUint32(mark, entrySignature)
		little.PutUint32(data[bytes.LastIndex(data, mark)+offset:], value)
		return data
	}
	for name, c := range map[string]struct {
		data   []byte
		reason Reason
	}{
		"checksum":     {inDirectory(fresh(false), 16, crc32.ChecksumIEEE([]byte("x"))), Checksum},
		"longer":       {inDirectory(fresh(false), 24, 100), Bomb},
		"shorter":      {inDirectory(fresh(false), 24, 5000), Truncated},
		"broken data":  {breakData(fresh(false)), Truncated},
		"other name":   {bytes.Replace(fresh(true), []byte("a.json"), []byte("b.json"), 1), Inconsistent},
		"other method": {patchFirst(fresh(true), 8, methodDeflate), Inconsistent},
		"no entry":     {patchFirst(fresh(true), 2, 0x0605), Truncated},
	} {
		z, err := open(c.data, DefaultLimits())
		if err != nil {
			t.Errorf("%s: opening: %v", name, err)
			continue
		}
		if _, err := readAll(z, "a.json"); reasonOf(err) != c.reason {
			t.Errorf("%s: got %v, want %s", name, err, c.reason)
		}
	}
}

func patchFirst(data []byte, offset int, value uint16) []byte {
	little.PutUint16(data[offset:], value)
	return data
}

func breakData(data []byte) []byte {
	for i := 48; i < 56; i++ { // behind the header, the name and the time
		data[i] = 0xff
	}
	return data
}

func TestLargeForm(t *testing.T) {
	if testing.Short() {
		t.Skip("70,000 entries")
	}
	limits := DefaultLimits()
	limits.Entries, limits.Directory = 100_000, 64<<20
	members := make([]member, 70_000) // beyond what the short end record counts
	for i := range members {
		members[i] = member{name: fmt.Sprint("f", i), store: true}
	}
	data := build(t, members...)
	z, err := open(data, limits)
	if err != nil || len(z.Files()) != len(members) {
		t.Fatalf("%v, %d files", err, len(z.Files()))
	}
	if _, err := open(data, DefaultLimits()); reasonOf(err) != TooMany {
		t.Errorf("with the default limits: %v", err)
	}
}

func TestDigest(t *testing.T) {
	data := []byte("abc")
	const sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	for digest, fine := range map[string]bool{"": true, "sha256:" + sum: true, "SHA256:" + strings.ToUpper(sum): true, "sha256:" + strings.Repeat("0", 64): false, "sha256:ba78": false, "md5:" + sum: false, sum: false} {
		err := VerifyDigest(bytes.NewReader(data), 3, digest)
		if (err == nil) != fine || !fine && reasonOf(err) != WrongDigest {
			t.Errorf("%s: %v", digest, err)
		}
	}
}

func TestFolder(t *testing.T) {
	tree := fstest.MapFS{
		"r/a.json":   {Data: []byte("{}")},
		"r/b/c.json": {Data: []byte("[]")},
		"s/link":     {Mode: fs.ModeSymlink | 0o777},
		"u/a:b":      {Data: nil},
	}
	f, err := OpenFolder(tree, "r", DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if names := fmt.Sprint(f.Files()[0].Name, " ", f.Files()[1].Name); names != "a.json b/c.json" {
		t.Error(names)
	}
	if got, err := readAll(f, "b/c.json"); err != nil || got != "[]" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := f.Open("x"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	tree["r/a.json"].Data = []byte("{} and more")
	if _, err := readAll(f, "a.json"); reasonOf(err) != Bomb {
		t.Errorf("a file that grew: %v", err)
	}
	for root, reason := range map[string]Reason{"s": NotRegular, "u": UnsafePath} {
		if _, err := OpenFolder(tree, root, DefaultLimits()); reasonOf(err) != reason {
			t.Errorf("%s: %v", root, err)
		}
	}
	few := DefaultLimits()
	few.Entries = 1
	if _, err := OpenFolder(tree, "r", few); reasonOf(err) != TooMany {
		t.Errorf("too many: %v", err)
	}
	few = DefaultLimits()
	few.Total = 5
	if _, err := OpenFolder(tree, "r", few); reasonOf(err) != TooLarge {
		t.Errorf("too large: %v", err)
	}
}

func TestFolderOnDisk(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/a.json", []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", dir+"/b.json"); err != nil {
		t.Skip(err)
	}
	if _, err := OpenFolder(os.DirFS(dir), ".", DefaultLimits()); reasonOf(err) != NotRegular {
		t.Errorf("a link on disk: %v", err)
	}
}

// FuzzOpenZip holds that hostile bytes never panic, and that what is read is
// what the standard reader reads.
func FuzzOpenZip(f *testing.F) {
	f.Add(build(f, member{name: "a.json", content: "{}"}, member{name: "b/c", content: strings.Repeat("x", 100)}))
	f.Add(build(f, member{name: "a", content: "abc", store: true}))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	limits := Limits{Entries: 100, Directory: 1 << 16, Total: 1 << 20, File: 1 << 20, Ratio: 100}
	f.Fuzz(func(t *testing.T, data []byte) {
		z, err := open(data, limits)
		if err != nil {
			return
		}
		std, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		for _, file := range z.Files() {
			got, readErr := readAll(z, file.Name)
			if readErr != nil || err != nil {
				continue
			}
			if int64(len(got)) != file.Size {
				t.Fatalf("%s: %d bytes, claimed %d", file.Name, len(got), file.Size)
			}
			want, err := fs.ReadFile(std, file.Name)
			if err == nil && string(want) != got {
				t.Fatalf("%s: other content than the standard reader's", file.Name)
			}
		}
	})
}
