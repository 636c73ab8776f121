package deploy

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"
)

// object is what every document is.
type object interface {
	GetName() string
	GetNamespace() string
}

// kinds makes an empty object of each kind that the files may hold.
var kinds = map[meta.TypeMeta]func() object{
	{APIVersion: "v1", Kind: "ConfigMap"}:                       func() object { return &core.ConfigMap{} },
	{APIVersion: "v1", Kind: "Secret"}:                          func() object { return &core.Secret{} },
	{APIVersion: "v1", Kind: "Service"}:                         func() object { return &core.Service{} },
	{APIVersion: "v1", Kind: "PersistentVolumeClaim"}:           func() object { return &core.PersistentVolumeClaim{} },
	{APIVersion: "apps/v1", Kind: "Deployment"}:                 func() object { return &apps.Deployment{} },
	{APIVersion: "batch/v1", Kind: "Job"}:                       func() object { return &batch.Job{} },
	{APIVersion: "batch/v1", Kind: "CronJob"}:                   func() object { return &batch.CronJob{} },
	{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"}:      func() object { return &policy.PodDisruptionBudget{} },
	{APIVersion: "networking.k8s.io/v1", Kind: "Ingress"}:       func() object { return &networking.Ingress{} },
	{APIVersion: "networking.k8s.io/v1", Kind: "NetworkPolicy"}: func() object { return &networking.NetworkPolicy{} },
}

// manifests reads every document of deploy/kubernetes strictly: a field that its kind doesn't have is an error, and so is
// one that is there twice.
func manifests(t testing.TB) (all []object) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "deploy", "kubernetes", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
			var kind meta.TypeMeta
			if err := yaml.Unmarshal(document, &kind); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			make, known := kinds[kind]
			if !known {
				t.Fatalf("%s holds %+v", file, kind)
			}
			o := make()
			if err := yaml.UnmarshalStrict(document, o); err != nil {
				t.Errorf("%s, %s: %v", file, kind.Kind, err)
			}
			if o.GetName() == "" || o.GetNamespace() != "" {
				t.Errorf("%s, %s: name %q, namespace %q: that is chosen where it is applied", file, kind.Kind, o.GetName(), o.GetNamespace())
			}
			all = append(all, o)
		}
	}
	return all
}

// named returns the objects of one kind by name.
func named[T object](all []object) map[string]T {
	found := map[string]T{}
	for _, o := range all {
		if one, ok := o.(T); ok {
			found[o.GetName()] = one
		}
	}
	return found
}

// pods returns every pod that is made, by what makes it.
func pods(all []object) map[string]core.PodTemplateSpec {
	found := map[string]core.PodTemplateSpec{}
	for _, o := range all {
		switch o := o.(type) {
		case *apps.Deployment:
			found["deployment "+o.Name] = o.Spec.Template
		case *batch.Job:
			found["job "+o.Name] = o.Spec.Template
		case *batch.CronJob:
			found["cron job "+o.Name] = o.Spec.JobTemplate.Spec.Template
		}
	}
	return found
}

// TestKubernetesNames: what one document names another has.
func TestKubernetesNames(t *testing.T) {
	t.Parallel()
	all := manifests(t)
	configs, secrets, claims := named[*core.ConfigMap](all), named[*core.Secret](all), named[*core.PersistentVolumeClaim](all)
	for about, pod := range pods(all) {
		volumes := map[string]bool{}
		for _, v := range pod.Spec.Volumes {
			volumes[v.Name] = true
			if c := v.PersistentVolumeClaim; c != nil && claims[c.ClaimName] == nil {
				t.Errorf("%s: no claim %s", about, c.ClaimName)
			}
		}
		for _, c := range pod.Spec.Containers {
			for _, from := range c.EnvFrom {
				if r := from.ConfigMapRef; r != nil && configs[r.Name] == nil {
					t.Errorf("%s: no config map %s", about, r.Name)
				}
				if r := from.SecretRef; r != nil && secrets[r.Name] == nil {
					t.Errorf("%s: no secret %s", about, r.Name)
				}
			}
			for _, m := range c.VolumeMounts {
				if !volumes[m.Name] {
					t.Errorf("%s: no volume %s", about, m.Name)
				}
			}
			if s := c.SecurityContext; s == nil || s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation || s.Capabilities == nil {
				t.Errorf("%s: %s may gain rights", about, c.Name)
			}
		}
		if s := pod.Spec.SecurityContext; s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot {
			t.Errorf("%s may run as root", about)
		}
	}
}

// TestKubernetesServices: what selects pods selects those of the deployment, and requests go to a port that is there.
func TestKubernetesServices(t *testing.T) {
	t.Parallel()
	all := manifests(t)
	d := named[*apps.Deployment](all)["kalends"]
	if d == nil {
		t.Fatal("no deployment")
	}
	pod := labels.Set(d.Spec.Template.Labels)
	selects := func(about string, s *meta.LabelSelector) {
		t.Helper()
		if selector, err := meta.LabelSelectorAsSelector(s); err != nil || selector.Empty() || !selector.Matches(pod) {
			t.Errorf("%s selects %v, %v", about, selector, err)
		}
	}
	selects("the deployment", d.Spec.Selector)
	for name, b := range named[*policy.PodDisruptionBudget](all) {
		selects("the budget "+name, b.Spec.Selector)
	}
	ports := map[string]bool{}
	for _, p := range d.Spec.Template.Spec.Containers[0].Ports {
		ports[p.Name] = true
	}
	services := named[*core.Service](all)
	for name, s := range services {
		selects("the service "+name, &meta.LabelSelector{MatchLabels: s.Spec.Selector})
		for _, p := range s.Spec.Ports {
			if !ports[p.TargetPort.String()] {
				t.Errorf("service %s sends to %s", name, p.TargetPort.String())
			}
		}
	}
	for name, in := range named[*networking.Ingress](all) {
		for _, rule := range in.Spec.Rules {
			for _, path := range rule.HTTP.Paths {
				to := path.Backend.Service
				s := services[to.Name]
				found := false
				for i := range s.Spec.Ports {
					found = found || s.Spec.Ports[i].Name == to.Port.Name && to.Port.Name != "" || s.Spec.Ports[i].Port == to.Port.Number
				}
				if !found {
					t.Errorf("ingress %s sends to %+v", name, to)
				}
			}
		}
	}
}
