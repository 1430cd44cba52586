package main

import (
	"context"
	"errors"
	"strings"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/recipe/launch"
)

// clones are clones of other repositories, by owner/name in lower case.
type clones struct {
	ctx   context.Context
	repos map[string]*gitrepo.Repo
}

// openClones opens what --checkout names.
func openClones(ctx context.Context, named []string) (*clones, error) {
	c := &clones{ctx: ctx, repos: make(map[string]*gitrepo.Repo)}
	for _, text := range named {
		address, dir, ok := strings.Cut(text, "=")
		name := repositoryName(address)
		if !ok || dir == "" || name == "" {
			_ = c.Close()
			return nil, usage("recipe.checkout-form", "value", text)
		}
		repo, err := gitrepo.Open(ctx, dir)
		if err != nil {
			_ = c.Close()
			return nil, err
		}
		c.repos[name] = repo
	}
	return c, nil
}

// repositoryName is owner/name of an address, in lower case; "" for any other
// form.
func repositoryName(address string) string {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(address), "/"), ".git"), "/")
	if len(parts) < 2 || parts[len(parts)-1] == "" || parts[len(parts)-2] == "" {
		return ""
	}
	return parts[len(parts)-2] + "/" + parts[len(parts)-1]
}

// Checkout gives a repository at what a launcher checks out of it.
func (c *clones) Checkout(address, ref string) (launch.Tree, bool) {
	repo := c.repos[repositoryName(address)]
	if repo == nil {
		return nil, false
	}
	if ref == "" {
		ref = "HEAD"
	}
	for _, name := range []string{ref, "origin/" + ref} {
		if tree, err := repo.Tree(c.ctx, name); err == nil {
			return launch.GitTree(tree), true
		}
	}
	return nil, false
}

// Close ends the reading of all of them.
func (c *clones) Close() error {
	var err error
	for _, repo := range c.repos {
		err = errors.Join(err, repo.Close())
	}
	return err
}
