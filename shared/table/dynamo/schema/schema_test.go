package schema_test

import (
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"frontdesk/shared/table/dynamo/schema"
)

// A description is what a table is made of, in the words of CloudFormation.
type description struct {
	BillingMode          string
	AttributeDefinitions []attribute
	KeySchema            []key
	Indexes              []index
	StreamViewType       string
	Expires              string // the attribute that says when an item has expired
}

type attribute struct {
	AttributeName string `yaml:"AttributeName"`
	AttributeType string `yaml:"AttributeType"`
}

type key struct {
	AttributeName string `yaml:"AttributeName"`
	KeyType       string `yaml:"KeyType"`
}

type index struct {
	IndexName  string `yaml:"IndexName"`
	KeySchema  []key  `yaml:"KeySchema"`
	Projection struct {
		ProjectionType string `yaml:"ProjectionType"`
	} `yaml:"Projection"`
}

// TestTemplate compares the table that a stack is deployed with to the one that tests work on.
func TestTemplate(t *testing.T) {
	if diff := cmp.Diff(made(), deployed(t)); diff != "" {
		t.Errorf("template.yaml has another table (-want +got):\n%s", diff)
	}
}

// deployed is the table of template.yaml.
func deployed(t *testing.T) description {
	t.Helper()
	text, err := os.ReadFile("../../../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var template struct {
		Resources struct {
			Table struct {
				Properties struct {
					BillingMode            string      `yaml:"BillingMode"`
					AttributeDefinitions   []attribute `yaml:"AttributeDefinitions"`
					KeySchema              []key       `yaml:"KeySchema"`
					GlobalSecondaryIndexes []index     `yaml:"GlobalSecondaryIndexes"`
					StreamSpecification    struct {
						StreamViewType string `yaml:"StreamViewType"`
					} `yaml:"StreamSpecification"`
					TimeToLiveSpecification struct {
						AttributeName string `yaml:"AttributeName"`
					} `yaml:"TimeToLiveSpecification"`
				} `yaml:"Properties"`
			} `yaml:"Table"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &template); err != nil {
		t.Fatal(err)
	}
	p := template.Resources.Table.Properties
	return description{
		p.BillingMode, p.AttributeDefinitions, p.KeySchema, p.GlobalSecondaryIndexes,
		p.StreamSpecification.StreamViewType, p.TimeToLiveSpecification.AttributeName,
	}
}

// made is the table that this package makes.
func made() description {
	in := schema.Table("t")
	d := description{
		BillingMode:    string(in.BillingMode),
		StreamViewType: string(in.StreamSpecification.StreamViewType),
		Expires:        aws.ToString(schema.TimeToLive("t").TimeToLiveSpecification.AttributeName),
	}
	for _, a := range in.AttributeDefinitions {
		d.AttributeDefinitions = append(d.AttributeDefinitions,
			attribute{aws.ToString(a.AttributeName), string(a.AttributeType)})
	}
	for _, k := range in.KeySchema {
		d.KeySchema = append(d.KeySchema, key{aws.ToString(k.AttributeName), string(k.KeyType)})
	}
	for _, g := range in.GlobalSecondaryIndexes {
		i := index{IndexName: aws.ToString(g.IndexName)}
		i.Projection.ProjectionType = string(g.Projection.ProjectionType)
		for _, k := range g.KeySchema {
			i.KeySchema = append(i.KeySchema, key{aws.ToString(k.AttributeName), string(k.KeyType)})
		}
		d.Indexes = append(d.Indexes, i)
	}
	return d
}
