package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	slashpath "path"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/checks/models"
	"github.com/sweepbot/sweepbot/checks/signoff"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/results"
)

// Images is check 6: vLLM and SGLang run the images of their own projects, and
// a vendor's engine comes after an open-source one on the same hardware.
func Images() Check {
	return Check{Topic: TopicImages, Needs: []Need{NeedGit, NeedSignOff}, Decide: decideImages}
}

func decideImages(ctx context.Context, e *Evidence) (Result, error) {
	affected, err := e.Affected(ctx)
	if err != nil {
		return Result{}, err
	}
	if affected.Findings.Refused() {
		r, _ := e.nothing(affected)
		return r, nil
	}
	c := imageCheck{e: e}
	if c.base, err = e.Revision(ctx, e.Base); err != nil {
		return Result{}, err
	}
	if c.target, err = e.Revision(ctx, e.Target); err != nil {
		return Result{}, err
	}
	if c.head, err = e.Revision(ctx, e.Head); err != nil {
		return Result{}, err
	}
	var touched []AffectedKey
	for _, key := range affected.Submitted() {
		if was := c.base.Config(key.Key); was == nil || !was.Raw.Equal(key.Config.Raw) {
			touched = append(touched, key)
		}
	}
	if len(touched) == 0 {
		return Result{Status: NotApplicable, Reason: "no master-config entry is added or changed."}, nil
	}
	if err := c.readPolicy(ctx); err != nil {
		return Result{}, err
	}
	c.detail, c.hasDetail = e.signOff()
	for _, key := range touched {
		c.image(key)
		if err := c.engineFirst(key); err != nil {
			return Result{}, err
		}
	}
	return c.result(), nil
}

// imageCheck judges entries one after the other.
type imageCheck struct {
	e                  *Evidence
	base, target, head *Revision
	policy             models.Policy
	noPolicy           bool
	detail             signoff.Document
	hasDetail          bool

	// open are failures that the detail section, which was not given, could
	// turn into warnings.
	failed, open, doubtful, passed, remarks []string
	upstream                                []upstreamImage
	citations                               []Citation
	archived                                []*matrix.Config
	archiveRead                             bool
}

func (c *imageCheck) readPolicy(ctx context.Context) error {
	doc, err := c.e.policy(ctx, c.e.Settings.Layout.Models)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	c.policy, c.noPolicy = models.Parse(string(doc.Data)), err != nil
	return nil
}

// plain are the frameworks whose images are judged strictly.
var plain = []string{"vllm", "sglang"}

// image judges part (a): where the image comes from.
func (c *imageCheck) image(key AffectedKey) {
	k := key.Config
	engine, open := Engine(k.Framework)
	ref := ParseImage(k.Image)
	strict := slices.Contains(plain, k.Framework)
	switch {
	case !open:
		// The engine-first rule words the case of an added entry.
		if c.base.Config(key.Key) != nil {
			c.passed = append(c.passed, fmt.Sprintf("%s is a vendor framework and the entry already exists", k.Framework))
		}
	case ref.Alias:
		c.passed = append(c.passed, fmt.Sprintf("%s names the image %s that its launcher maps", key.Key, ref))
	case ref.Upstream(engine):
		c.uses(key.Key, ref.Shown())
		c.cite(k)
	case !Established(results.SKU(k.Runner)):
		c.passed = append(c.passed, fmt.Sprintf("%s runs %s on new hardware", key.Key, ref))
		c.remarks = append(c.remarks, results.SKU(k.Runner)+" is no established hardware, so that the image rule does not apply")
	case strict:
		c.cite(k)
		text := fmt.Sprintf("%s runs %s; established hardware needs an %s image and no exception is documented", key.Key, ref, organisation(engine))
		c.failUnlessClaimed(key, ref, text)
	default:
		c.foreign(key, ref, engine)
	}
}

// uses notes an entry with an image of its own project; entries of one image
// are named together.
func (c *imageCheck) uses(key, image string) {
	i := slices.IndexFunc(c.upstream, func(u upstreamImage) bool { return u.image == image })
	if i < 0 {
		i = len(c.upstream)
		c.upstream = append(c.upstream, upstreamImage{image: image})
	}
	c.upstream[i].keys = append(c.upstream[i].keys, key)
}

// upstreamImage is an image of its engine's own project and the entries of it.
type upstreamImage struct {
	image string
	keys  []string
}

func (u upstreamImage) String() string {
	return fmt.Sprintf("%s %s %s", joined(u.keys, ", ", 4), verb(len(u.keys), "uses", "use"), u.image)
}

// foreign judges images of other open-source frameworks by the settings.
func (c *imageCheck) foreign(key AffectedKey, ref ImageRef, engine string) {
	text := fmt.Sprintf("%s (%s) runs %s, which is no %s image", key.Key, key.Config.Framework, ref, organisation(engine))
	c.cite(key.Config)
	switch {
	case !c.e.Profile.Since("2026-09"), c.e.Settings.Checks.OpenSourceImages == config.ImagesIgnore:
		c.passed = append(c.passed, fmt.Sprintf("%s is not subject to the image rule", key.Config.Framework))
	case c.e.Settings.Checks.OpenSourceImages == config.ImagesFail:
		c.failUnlessClaimed(key, ref, text)
	default:
		c.doubtful = append(c.doubtful, text)
	}
}

func organisation(engine string) string {
	return map[string]string{"vllm": "upstream vllm", "sglang": "lmsysorg"}[engine]
}

// exceptionWords make a claim of an exception, which can't be judged here.
var exceptionWords = []string{"exception", "new hardware", "new model", "new architecture", "not supported", "unsupported"}

// claims reports whether the detail section claims an exception for an entry:
// it names the key or the image together with one of the words.
func (c *imageCheck) claims(key string, ref ImageRef) bool {
	text := strings.ToLower(c.detail.Detail)
	about := strings.Contains(text, strings.ToLower(key)) || strings.Contains(text, strings.ToLower(ref.String())) ||
		ref.Repository != "" && strings.Contains(text, ref.Repository)
	return about && slices.ContainsFunc(exceptionWords, func(w string) bool { return strings.Contains(text, w) })
}

// failUnlessClaimed files a failure: with a claim a person has to look, and
// without a body it is not known whether there is one.
func (c *imageCheck) failUnlessClaimed(key AffectedKey, ref ImageRef, text string) {
	switch {
	case !c.hasDetail:
		c.open = append(c.open, text)
	case c.claims(key.Key, ref):
		c.doubtful = append(c.doubtful, text+", but the additional detail section claims an exception")
	default:
		c.failed = append(c.failed, text)
	}
}

// engineFirst judges part (b) for an added entry of a vendor's engine.
func (c *imageCheck) engineFirst(key AffectedKey) error {
	if c.base.Config(key.Key) != nil {
		return nil
	}
	k := key.Config
	engine, open := Engine(k.Framework)
	if open && !c.dynamoCounts(k.Framework) {
		return nil
	}
	sku := results.SKU(k.Runner)
	model := strings.Join(c.policy.SameModel(k.ModelPrefix), "/")
	if sibling := c.sibling(c.target.configs(), k); sibling != nil {
		text := fmt.Sprintf("the open-source entry %s already exists for %s on %s", sibling.Key, model, sku)
		if !open {
			text = k.Framework + " is a vendor framework; " + text
		}
		c.passed = append(c.passed, text)
		c.cite(sibling)
		return nil
	}
	if open {
		c.remarks = append(c.remarks, fmt.Sprintf("no entry for %s on %s was there before: %s serves %s itself, so that nothing has to land first", model, sku, k.Framework, engine))
		return nil
	}
	if c.e.Settings.Checks.ArchivedSiblings {
		archived, err := c.archive()
		if err != nil {
			return err
		}
		if sibling := c.sibling(archived, k); sibling != nil {
			c.passed = append(c.passed, fmt.Sprintf("%s follows the archived open-source entry %s for %s on %s", key.Key, sibling.Key, model, sku))
			c.remarks = append(c.remarks, "the open-source entry "+sibling.Key+" is archived")
			return nil
		}
	}
	if sibling := c.sibling(c.head.configs(), k); sibling != nil {
		c.doubtful = append(c.doubtful, fmt.Sprintf("the open-source entry %s for %s on %s lands only with this PR", sibling.Key, model, sku))
		return nil
	}
	if !Established(sku) {
		c.passed = append(c.passed, fmt.Sprintf("%s is on new hardware", key.Key))
		c.remarks = append(c.remarks, sku+" is no established hardware, so that a vendor engine may land first")
		return nil
	}
	c.cite(k)
	text := fmt.Sprintf("%s has no vLLM or SGLang entry on %s; %s may not land first", model, sku, key.Key)
	c.failUnlessClaimed(key, ParseImage(k.Image), text)
	return nil
}

// dynamoCounts reports whether the engine-first rule looks at a framework
// although its engine is open source: the words of August 2026 counted Dynamo's
// variants among the additional frameworks. The verdicts of that time took an
// entry under Dynamo both as a sibling and as a first submission, so that it is
// told what stands beside it and nothing more.
func (c *imageCheck) dynamoCounts(framework string) bool {
	return !c.e.Profile.Since("2026-09") && strings.HasPrefix(framework, "dynamo-")
}

// sibling finds an open-source entry of the same model on the same hardware, in
// any precision and topology. Which prefixes are one model is for the policy to
// say; where there is none yet, versions of one name are ("orion5", "orion5.1").
func (c *imageCheck) sibling(list []*matrix.Config, of *matrix.Config) *matrix.Config {
	names, sku := c.policy.SameModel(of.ModelPrefix), results.SKU(of.Runner)
	var version *matrix.Config
	for _, k := range list {
		if _, open := Engine(k.Framework); !open || results.SKU(k.Runner) != sku {
			continue
		}
		switch {
		case slices.Contains(names, strings.ToLower(k.ModelPrefix)):
			return k
		case version == nil && c.noPolicy && versionless(k.ModelPrefix) == versionless(of.ModelPrefix):
			version = k
		}
	}
	if version != nil {
		c.remarks = append(c.remarks, fmt.Sprintf("%s counts as the model %s by its name: the target branch has no model policy document", version.ModelPrefix, of.ModelPrefix))
	}
	return version
}

// versionless is a model prefix without what follows its first point.
func versionless(prefix string) string {
	name, _, _ := strings.Cut(strings.ToLower(prefix), ".")
	return name
}

// archive reads the archived configs at the target branch: keys that were
// submitted before. They follow no current rules, so that only the three
// fields that matter are read.
func (c *imageCheck) archive() ([]*matrix.Config, error) {
	if c.archiveRead {
		return c.archived, nil
	}
	c.archiveRead = true
	root, err := c.e.root(c.target.Tree)
	if err != nil {
		return nil, err
	}
	folder := slashpath.Join(root, slashpath.Dir(c.e.Settings.Layout.Runners), "deprecated")
	entries, err := c.target.Tree.List(folder)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	for _, entry := range entries {
		if !entry.Mode.IsRegular() || !strings.HasSuffix(entry.Name, ".yaml") {
			continue
		}
		file := slashpath.Join(folder, entry.Name)
		data, err := c.target.Tree.ReadFile(file)
		if err != nil {
			return nil, err
		}
		value, err := yamlpos.Parse(file, data, yamlpos.Options{LastKeyWins: true})
		if err != nil || value.Kind != yamlpos.Mapping {
			c.remarks = append(c.remarks, quoted(file)+" could not be read")
			continue
		}
		c.archived = append(c.archived, archivedConfigs(value)...)
	}
	return c.archived, nil
}

func archivedConfigs(file *yamlpos.Value) []*matrix.Config {
	var out []*matrix.Config
	for _, f := range file.Fields {
		text := func(name string) string {
			if v := f.Value.Get(name); v != nil {
				return v.Text
			}
			return ""
		}
		out = append(out, &matrix.Config{Key: f.Key.Text, Framework: text("framework"), Runner: text("runner"), ModelPrefix: text("model-prefix")})
	}
	return out
}

// cite points to an entry of a master config.
func (c *imageCheck) cite(k *matrix.Config) {
	if k.Place.File == "" || len(c.citations) >= 8 {
		return
	}
	commit, text := c.e.Head, k.Key
	if c.head.Config(k.Key) == nil {
		commit = c.e.Target
	}
	citation := Citation{Kind: CiteFile, Commit: commit, Path: k.Place.File, Line: k.Place.Line, Text: text, URL: c.e.fileURL(commit, k.Place.File, k.Place.Line)}
	if !slices.Contains(c.citations, citation) {
		c.citations = append(c.citations, citation)
	}
}

func (c *imageCheck) result() Result {
	r := Result{Citations: c.citations, Remarks: unique(c.remarks)}
	switch {
	case len(c.failed) > 0:
		r.Status, r.Reason = Fail, joined(c.failed, "; ", 3)+"."
	case len(c.open) > 0:
		r.Status, r.Reason = Unavailable, joined(c.open, "; ", 3)+"; whether the sign-off claims an exception was not given."
		r.Missing = []string{string(NeedSignOff)}
	case len(c.doubtful) > 0:
		u := c.e.undecided(joined(c.doubtful, "; ", 3) + ".")
		u.Citations, u.Remarks = r.Citations, r.Remarks
		return u
	default:
		for _, image := range c.upstream {
			c.passed = append(c.passed, image.String())
		}
		r.Status, r.Reason = Pass, joined(unique(c.passed), "; ", 3)+"."
	}
	return r
}
