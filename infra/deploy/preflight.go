package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/acm"
	acmtypes "github.com/aws/aws-sdk-go-v2/service/acm/types"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"
)

// enoughConcurrency is how many calls at a time an account should allow. New accounts often have 10, which
// one busy afternoon of a chat box uses up; 1,000 is Lambda's usual quota.
const enoughConcurrency = 100

// Lambda lets functions reserve concurrency as long as this much of the account's is left to all others.
const leastUnreserved = 100

// publicFunctions is how many functions reserve the concurrency of the parameter PublicConcurrency.
const publicFunctions = 2

// A finding is the outcome of one check of the account.
type finding struct {
	what string
	// problem is "" where all is well. A fatal one ends the deployment.
	problem, remedy string
	fatal           bool
}

// preflight checks that the account is ready for the stack, and prints each problem with its remedy. It
// returns an error if a problem would make the deployment fail.
func (d *deployment) preflight(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	fmt.Println("Stack", d.stack)
	findings := []finding{d.checkRegion()}
	if findings[0].problem == "" {
		findings = append(findings, d.checkCredentials(ctx))
		if findings[1].problem == "" {
			findings = append(findings, d.checkConcurrency(ctx), d.checkReservation(),
				d.checkCertificate(ctx), d.checkMail(ctx))
		}
	}
	findings = append(findings, d.misspelt...)
	fatal := false
	for _, f := range findings {
		switch {
		case f.what == "":
			continue
		case f.problem == "":
			fmt.Println("  ok       ", f.what)
			continue
		case f.fatal:
			fatal = true
			fmt.Println("  NOT READY", f.what+":", f.problem)
		default:
			fmt.Println("  warning  ", f.what+":", f.problem)
		}
		fmt.Println("            ", f.remedy)
	}
	if fatal {
		return errors.New("not ready to deploy; nothing was changed")
	}
	return nil
}

func (d *deployment) checkRegion() finding {
	f := finding{what: "region " + d.region, fatal: true}
	if d.region == "" {
		f.what, f.problem = "region", "none is set"
		f.remedy = "Name one: make deploy REGION=eu-central-1. It is remembered."
	}
	return f
}

func (d *deployment) checkCredentials(ctx context.Context) finding {
	caller, err := sts.NewFromConfig(d.settings).GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
	if err != nil {
		return finding{
			what: "credentials", fatal: true, problem: brief(err),
			remedy: "Sign in as you would for the AWS command line, for instance with `aws sso login`, or " +
				"set AWS_PROFILE.",
		}
	}
	return finding{what: "credentials of account " + aws.ToString(caller.Account)}
}

func (d *deployment) checkConcurrency(ctx context.Context) finding {
	f := finding{what: "Lambda's concurrency"}
	account, err := lambda.NewFromConfig(d.settings).GetAccountSettings(ctx,
		&lambda.GetAccountSettingsInput{})
	if err != nil {
		f.problem = brief(err)
		f.remedy = "Let the deploying identity call lambda:GetAccountSettings to have this checked."
		return f
	}
	if account.AccountLimit == nil {
		return finding{}
	}
	limit := account.AccountLimit.ConcurrentExecutions
	d.quota, d.unreserved = int(limit), int(aws.ToInt32(account.AccountLimit.UnreservedConcurrentExecutions))
	f.what = fmt.Sprintf("Lambda's concurrency of %d", limit)
	if limit < enoughConcurrency {
		f.problem = fmt.Sprintf(
			"the account allows %d calls at a time, and visitors share them with the workers", limit)
		f.remedy = "Ask for 1,000 under Service Quotas > AWS Lambda > Concurrent executions. It is free " +
			"and takes a day or so."
	}
	return f
}

// checkReservation checks that the account has the concurrency that PublicConcurrency reserves for each of
// publicFunctions.
func (d *deployment) checkReservation() finding {
	wanted, err := strconv.Atoi(d.values["PublicConcurrency"])
	if err != nil || wanted == 0 || d.quota == 0 {
		return finding{} // CloudFormation refuses what is no number
	}
	f := finding{what: fmt.Sprintf("reserved concurrency of %d for each of %d functions", wanted,
		publicFunctions), fatal: true}
	standing, _ := strconv.Atoi(d.standing["PublicConcurrency"])
	most := (d.unreserved + standing*publicFunctions - leastUnreserved) / publicFunctions
	if wanted > most {
		f.problem = fmt.Sprintf("%d of the account's %d are not reserved, and Lambda keeps %d of them so",
			d.unreserved+standing*publicFunctions, d.quota, leastUnreserved)
		f.remedy = fmt.Sprintf(
			"Deploy with PUBLIC_CONCURRENCY=%d or less, 0 for none, or ask for a higher quota.", max(0, most))
	}
	return f
}

func (d *deployment) checkCertificate(ctx context.Context) finding {
	domain, arn := d.values["DomainName"], d.values["CertificateArn"]
	if domain == "" {
		return finding{}
	}
	f := finding{what: "certificate of " + domain, fatal: true}
	if !strings.Contains(arn, ":"+d.region+":") {
		f.problem = "it is not in the region of the stack"
		f.remedy = "Ask ACM for a certificate in " + d.region +
			" and pass its ARN: make deploy CERTIFICATE_ARN=…"
		return f
	}
	found, err := acm.NewFromConfig(d.settings).DescribeCertificate(ctx,
		&acm.DescribeCertificateInput{CertificateArn: &arn})
	switch {
	case err != nil:
		f.problem, f.remedy = brief(err), "Look up the ARN under AWS Certificate Manager in "+d.region+"."
	case found.Certificate.Status != acmtypes.CertificateStatusIssued:
		f.problem = "its status is " + string(found.Certificate.Status)
		f.remedy = "Put ACM's CNAME record into the domain's DNS and wait until the certificate is issued."
	case !covers(append(found.Certificate.SubjectAlternativeNames,
		aws.ToString(found.Certificate.DomainName)), domain):
		f.problem, f.remedy = "it is for other names", "Ask ACM for one that names "+domain+"."
	}
	return f
}

// covers reports whether a certificate for the names is one for the domain. A wildcard stands for one label.
func covers(names []string, domain string) bool {
	_, parent, _ := strings.Cut(domain, ".")
	for _, name := range names {
		if strings.EqualFold(name, domain) || strings.EqualFold(name, "*."+parent) {
			return true
		}
	}
	return false
}

// brief returns the answer of AWS if err contains one, else the last line of the SDK's error. With DEBUG it
// returns the whole error.
func brief(err error) string {
	text := err.Error()
	if os.Getenv("DEBUG") != "" {
		return text
	}
	var answer smithy.APIError
	if errors.As(err, &answer) {
		text = answer.ErrorCode() + ": " + answer.ErrorMessage()
	}
	return strings.TrimSpace(text[strings.LastIndex(text, "\n")+1:])
}
