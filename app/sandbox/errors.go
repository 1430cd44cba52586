package sandbox

import (
	"fmt"
	"net/http"
)

// docURL is the documentation link in every error of the API.
const docURL = "https://docs.github.com/rest"

// APIError is a refusal in the shape of the REST API. People's actions return
// it too.
type APIError struct {
	Status  int
	Message string
	// Fields are the parts of a request that a 422 refuses.
	Fields []FieldError
	// Documentation is the link in the answer, by default that of the API.
	Documentation string

	header map[string]string
}

// FieldError is one refused field of a request.
type FieldError struct {
	Resource string `json:"resource"`
	Field    string `json:"field"`
	Code     string `json:"code"`
	Message  string `json:"message,omitempty"`
}

// Error returns the status and the message.
func (e *APIError) Error() string {
	text := fmt.Sprintf("%d %s", e.Status, e.Message)
	for _, f := range e.Fields {
		text += fmt.Sprintf("; %s.%s %s %s", f.Resource, f.Field, f.Code, f.Message)
	}
	return text
}

func refuse(status int, format string, args ...any) *APIError {
	return &APIError{Status: status, Message: fmt.Sprintf(format, args...)}
}

// notFound hides what the caller may not see, as GitHub does.
func notFound() *APIError { return refuse(http.StatusNotFound, "Not Found") }

func unprocessable(format string, args ...any) *APIError {
	return refuse(http.StatusUnprocessableEntity, format, args...)
}

// invalid refuses one field of a request.
func invalid(resource, field, code, message string) *APIError {
	e := unprocessable("Validation Failed")
	e.Fields = []FieldError{{resource, field, code, message}}
	return e
}

// document is the body of the answer.
func (e *APIError) document() doc {
	d := doc{"message": e.Message, "documentation_url": e.Documentation, "status": fmt.Sprint(e.Status)}
	if e.Documentation == "" {
		d["documentation_url"] = docURL
	}
	if len(e.Fields) > 0 {
		d["errors"] = e.Fields
	}
	return d
}
