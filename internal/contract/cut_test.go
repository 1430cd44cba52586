package contract

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// small is a description with a path that is used, one that is not, and
// components that refer to one another.
const small = `{
  "openapi": "3.0.3", "info": {"title": "t", "version": "1"},
  "paths": {
    "/a/{id}": {"get": {"responses": {"200": {"description": "d", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/a"}}}}}}},
    "/b": {"get": {"responses": {"200": {"description": "d", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/c"}}}}}}}
  },
  "components": {"schemas": {
    "a": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "b": {"$ref": "#/components/schemas/b"}}},
    "b": {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/a"}}},
    "c": {"type": "string", "example": 1}
  }}
}`

func TestCutKeepsWhatIsUsed(t *testing.T) {
	data, err := cut([]byte(small), map[string]bool{"/a/{}": true})
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Paths      map[string]any
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Paths) != 1 || d.Paths["/a/{id}"] == nil {
		t.Errorf("paths: %v", d.Paths)
	}
	if len(d.Components.Schemas) != 2 || d.Components.Schemas["c"] != nil {
		t.Errorf("schemas: %v", d.Components.Schemas)
	}
	broken := strings.Replace(small, "schemas/b", "schemas/none", 1)
	if _, err := cut([]byte(broken), map[string]bool{"/a/{}": true}); err == nil || !strings.Contains(err.Error(), "leads nowhere") {
		t.Errorf("a reference to nothing: %v", err)
	}
}

// A wrong answer, an unknown status, an unknown operation and an unknown
// parameter are all found.
func TestInspectorCanFail(t *testing.T) {
	data, err := cut([]byte(small), map[string]bool{"/a/{}": true})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	in := &inspector{complain: func(text string) { said = append(said, text) }, doc: doc, seen: make(map[string]bool)}
	req, err := http.NewRequest("GET", "http://127.0.0.1/a/1", nil)
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{"Content-Type": {"application/json"}}
	in.answer("GET /a/{x}", req, 200, header, []byte(`{"id": 1, "b": {"a": {"id": 2}}}`))
	in.answer("GET /a/{x}", req, 404, header, []byte(`{}`))
	if len(said) > 0 {
		t.Fatalf("right answers: %q", said)
	}
	in.answer("GET /a/{x}", req, 200, header, []byte(`{"id": "1"}`))
	in.answer("GET /a/{x}", req, 201, header, []byte(`{"id": 1}`))
	in.answer("GET /none", req, 200, header, []byte(`{}`))
	req.URL.RawQuery = "page=2"
	in.request(in.find("GET", "/a/1"), req, nil)
	want := []string{`GET /a/{x} 200`, `answers 201, which is not described`, `GET /none is not in`, `GET /a/{id} has no parameter page`}
	if !slices.EqualFunc(said, want, strings.Contains) {
		t.Errorf("found %q", said)
	}
}
