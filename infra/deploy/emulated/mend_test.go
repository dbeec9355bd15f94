package emulated

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"

	"frontdesk/infra/template"
)

// mend corrects known differences between the emulator and AWS:
//
//   - It ignores x-amazon-apigateway-any-method in the API's definition, so that its API has paths without
//     methods. They are created by calls of API Gateway.
//   - It gives functions no addresses of its services. On AWS functions need none.
//
// The receiver of the story's webhook is on this machine, which a deployed stack never calls; so that is
// allowed here.
func (e *emulator) mend() {
	e.t.Helper()
	resources := e.stackResources()
	functions := lambda.NewFromConfig(e.settings())
	arns := map[string]string{} // by logical name
	for logical, physical := range resources["AWS::Lambda::Function"] {
		found, err := functions.GetFunctionConfiguration(e.t.Context(),
			&lambda.GetFunctionConfigurationInput{FunctionName: &physical})
		if err != nil {
			e.t.Fatal(err)
		}
		arns[logical] = aws.ToString(found.FunctionArn)
		variables := maps.Clone(found.Environment.Variables)
		for _, service := range []string{"", "_DYNAMODB", "_SQS", "_SSM"} {
			variables["AWS_ENDPOINT_URL"+service] = e.address
		}
		variables["WEBHOOK_ALLOW_HOSTS"] = "127.0.0.1"
		_, err = functions.UpdateFunctionConfiguration(e.t.Context(),
			&lambda.UpdateFunctionConfigurationInput{
				FunctionName: &physical, Environment: &types.Environment{Variables: variables},
			})
		if err != nil {
			e.t.Fatal(err)
		}
	}
	for _, id := range resources["AWS::ApiGateway::RestApi"] {
		e.api = e.address + "/restapis/" + id + "/prod/_user_request_/api/v1"
		e.mendAPI(id, arns)
	}
	if e.api == "" {
		e.t.Fatal("the stack has no API")
	}
}

// mendAPI puts a method for every path of the template that has none.
func (e *emulator) mendAPI(id string, functions map[string]string) {
	described, err := template.Read("template.yaml")
	if err != nil {
		e.t.Fatal(err)
	}
	var found struct {
		Item []struct {
			ID      string                     `json:"id"`
			Path    string                     `json:"path"`
			Methods map[string]json.RawMessage `json:"resourceMethods"`
		} `json:"item"`
	}
	api := "/restapis/" + id
	if err := json.Unmarshal(e.apiGateway("GET", api+"/resources?limit=500", ""), &found); err != nil {
		e.t.Fatal(err)
	}
	without := map[string]string{} // ids of resources without methods, by path
	for _, r := range found.Item {
		if len(r.Methods) == 0 {
			without[r.Path] = r.ID
		}
	}
	for _, f := range described.Functions {
		for _, path := range f.Paths {
			resource, ok := without[path]
			if !ok {
				continue
			}
			method := api + "/resources/" + resource + "/methods/ANY"
			e.apiGateway("PUT", method, `{"authorizationType": "NONE"}`)
			integration, err := json.Marshal(map[string]string{
				"type": "AWS_PROXY", "httpMethod": "POST",
				"uri": "arn:aws:apigateway:" + region + ":lambda:path/2015-03-31/functions/" +
					functions[f.Name] + "/invocations",
			})
			if err != nil {
				e.t.Fatal(err)
			}
			e.apiGateway("PUT", method+"/integration", string(integration))
		}
	}
	e.apiGateway("POST", api+"/deployments", `{"stageName": "prod"}`)
}

// apiGateway makes a call of API Gateway's own interface. The emulator takes region and service from the
// signature and does not check it.
func (e *emulator) apiGateway(method, path, body string) []byte {
	e.t.Helper()
	req, err := http.NewRequestWithContext(e.t.Context(), method, e.address+path, strings.NewReader(body))
	if err != nil {
		e.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=test/20260101/"+region+"/apigateway/aws4_request, SignedHeaders=host, "+
			"Signature=0")
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		e.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		e.t.Fatalf("API Gateway: %s %s: %d %s", method, path, response.StatusCode, text)
	}
	return text
}

// stackResources returns the physical ids of the stack's resources by type and logical name.
func (e *emulator) stackResources() map[string]map[string]string {
	e.t.Helper()
	all := map[string]map[string]string{}
	pages := cloudformation.NewListStackResourcesPaginator(e.stacks(),
		&cloudformation.ListStackResourcesInput{StackName: aws.String(stackName)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(e.t.Context())
		if err != nil {
			e.t.Fatal(err)
		}
		for _, r := range page.StackResourceSummaries {
			kind := aws.ToString(r.ResourceType)
			if all[kind] == nil {
				all[kind] = map[string]string{}
			}
			all[kind][aws.ToString(r.LogicalResourceId)] = aws.ToString(r.PhysicalResourceId)
		}
	}
	return all
}
