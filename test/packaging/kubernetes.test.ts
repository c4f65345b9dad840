import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { VARIABLES } from '../../operations/config/config-variables';
import { ROLES } from '../../operations/config/roles';
import { read } from './docker/compose-file';

interface Container {
  image: string;
  args: string[];
  env?: { name: string }[];
  ports: { name: string; containerPort: number }[];
  readinessProbe: { httpGet: { path: string } };
  livenessProbe: { httpGet: { path: string } };
}
interface Resource {
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  spec: {
    replicas?: number;
    minReplicas?: number;
    selector: { matchLabels: Record<string, string> };
    scaleTargetRef: { name: string };
    ports: { targetPort: string }[];
    metrics: { external?: { metric: { name: string; selector: { matchLabels: { group: string } } } } }[];
    template: { metadata: { labels: object }; spec: { containers: [Container]; topologySpreadConstraints: object[] } };
  };
}

const yaml = (name: string): unknown =>
  parse(read(`packaging/kubernetes/${name}`), { merge: true, maxAliasCount: 1_000 });
const { items } = yaml('roles.yaml') as { items: Resource[] };
const { data: settings } = yaml('settings.yaml') as { data: Record<string, string> };
const ofKind = (kind: string): Resource[] => items.filter((item) => item.kind === kind);
const deployments = ofKind('Deployment');
const containerOf = ({ spec }: Resource): Container => spec.template.spec.containers[0];
const named = (resources: Resource[], name: string): Resource => resources.find((one) => one.metadata.name === name)!;

describe('packaging/kubernetes', () => {
  it('runs every role but the sandbox, each in one deployment', () => {
    const run = deployments.flatMap((one) => containerOf(one).args.at(-1)!.split(','));
    expect(run.sort()).toEqual(ROLES.filter((role) => role !== 'sandbox').sort());
  });

  it.each(deployments.map((one) => [one.metadata.name, one] as const))(
    '%s is selected by its own labels, probed, spread and kept up in two pods',
    (name, one) => {
      const { labels } = one.metadata;
      const { template, selector } = one.spec;
      expect([selector.matchLabels, template.metadata.labels]).toEqual([labels, labels]);
      expect(template.spec.topologySpreadConstraints).toMatchObject([{ labelSelector: { matchLabels: labels } }]);
      expect(named(ofKind('PodDisruptionBudget'), name).spec.selector.matchLabels).toEqual(labels);
      const scaler = ofKind('HorizontalPodAutoscaler').find(({ spec }) => spec.scaleTargetRef.name === name);
      // Where an autoscaler counts the pods, the deployment must not.
      expect([one.spec.replicas, scaler?.spec.minReplicas].filter((count) => count !== undefined)).toEqual([2]);
      const { livenessProbe, readinessProbe } = containerOf(one);
      expect([livenessProbe.httpGet.path, readinessProbe.httpGet.path]).toEqual(['/healthz', '/readyz']);
    },
  );

  it('has the image of this version, and services for ports that its pods have', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    for (const one of deployments) expect(containerOf(one).image).toBe(`kurir:${version}`);
    for (const { metadata, spec } of ofKind('Service')) {
      const ports = containerOf(named(deployments, metadata.name)).ports.map(({ name }) => name);
      for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort);
    }
  });

  it('sets what Kurir knows', () => {
    const names = deployments.flatMap((one) => (containerOf(one).env ?? []).map(({ name }) => name));
    const known = Object.keys(VARIABLES);
    expect([...Object.keys(settings), ...names].filter((name) => !known.includes(name))).toEqual([]);
  });

  it('scales by a metric and by groups that exist', () => {
    const metrics = read('app/metrics/backlog-metrics.ts');
    const external = ofKind('HorizontalPodAutoscaler').flatMap(({ spec }) =>
      spec.metrics.flatMap((m) => m.external ?? []),
    );
    expect(external.length).toBeGreaterThan(0);
    for (const { metric } of external) {
      expect(metrics).toContain(`'${metric.name}'`);
      expect(ROLES).toContain(metric.selector.matchLabels.group);
    }
  });
});
