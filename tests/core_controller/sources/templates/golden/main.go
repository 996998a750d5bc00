// Writes what Go's own text/template makes of every row of inputs.json to expected.json:
//
//	cd tests/core_controller/sources/templates/golden && go run . inputs.json > expected.json
//
// Numbers of the data are int64 where they are written as integers, as in unstructured Kubernetes objects.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"text/template"
)

type row struct {
	Template string `json:"template"`
	Missing  string `json:"missing"`
}

type table struct {
	Data json.RawMessage `json:"data"`
	Rows []row           `json:"rows"`
}

type result struct {
	row
	Outcome string `json:"outcome"`
	Output  string `json:"output,omitempty"`
}

func numbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return value
}

var functions = template.FuncMap{
	"contains":   strings.Contains,
	"trimPrefix": strings.TrimPrefix,
	"trimSuffix": strings.TrimSuffix,
	"trim":       strings.TrimSpace,
	"toLower":    strings.ToLower,
	"replace":    func(old, new, target string) string { return strings.ReplaceAll(target, old, new) },
	"isIPv4":     func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() },
	"isIPv6":     func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is6() },
	"fromJson": func(s string) (any, error) {
		var v any
		err := json.Unmarshal([]byte(s), &v)
		return v, err
	},
}

func render(r row, source json.RawMessage) result {
	decoder := json.NewDecoder(bytes.NewReader(source))
	decoder.UseNumber()
	var data any
	if err := decoder.Decode(&data); err != nil {
		panic(err)
	}
	parsed, err := template.New("").Funcs(functions).Option("missingkey=" + r.Missing).Parse(r.Template)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return result{r, "parse error", ""}
	}
	var output strings.Builder
	if err := parsed.Execute(&output, numbers(data)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return result{r, "evaluation error", ""}
	}
	return result{r, "output", output.String()}
}

func main() {
	source, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var inputs table
	if err := json.Unmarshal(source, &inputs); err != nil {
		panic(err)
	}
	results := make([]result, 0, len(inputs.Rows))
	for _, r := range inputs.Rows {
		results = append(results, render(r, inputs.Data))
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(results); err != nil {
		panic(err)
	}
}
