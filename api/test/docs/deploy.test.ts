import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readSettings } from '../../src/base/settings/settings.ts';
import { type Metrics, makeMetrics } from '../../src/metrics/metrics.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string };
}
const { groups } = parse(read('deploy/prometheus/rules.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('deploy/grafana/lotwatch.json')) as {
  panels: { id: number; title: string; gridPos: { x: number; y: number }; targets: { expr: string }[] }[];
};
const page = read('docs/operating/metrics.md');

let metrics: Metrics;
/** The labels of each figure by its name. */
const figures = new Map<string, Set<string>>();
beforeAll(async () => {
  metrics = makeMetrics({ db: null, pools: {}, sockets: () => 0 });
  const text = await metrics.read();
  for (const [, name = ''] of text.matchAll(/^# TYPE (\S+)/gm)) figures.set(name, metrics.labelsOf(name));
});
afterAll(() => metrics.close());

/** What Prometheus adds itself. */
const ADDED = ['job', 'instance', 'le'];
const figureOf = (name: string) => (figures.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ''));

/** @returns what is wrong with a query */
function faultsOf(expr: string): string[] {
  const names = [...expr.matchAll(/\b((?:lotwatch|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)];
  if (names.length === 0 && !expr.startsWith('up{')) return [`${expr} asks for nothing`];
  const known = new Set(ADDED);
  const faults: string[] = [];
  for (const [, name = '', selectors = ''] of names) {
    const labels = figures.get(figureOf(name));
    if (!labels) faults.push(`there is no ${name}`);
    for (const label of labels ?? []) known.add(label);
    for (const [, label = ''] of selectors.matchAll(/(\w+)\s*[=!]/g))
      if (!labels?.has(label) && !ADDED.includes(label)) faults.push(`${name} has no label ${label}`);
  }
  for (const [, list = ''] of expr.matchAll(/\bby \(([^)]*)\)/g))
    for (const label of list.split(/,\s*/)) if (!known.has(label)) faults.push(`${expr} has no label ${label}`);
  return faults;
}

it('the alarms ask for figures that exist, and the page says what to do at each', () => {
  expect(rules.length).toBeGreaterThan(5);
  expect(rules.flatMap(({ expr }) => faultsOf(expr))).toEqual([]);
  expect(rules.filter(({ alert }) => !page.includes(`### ${alert}\n`))).toEqual([]);
  for (const rule of rules) {
    expect(rule.for).toMatch(/^\d+m$/);
    expect(['page', 'ticket']).toContain(rule.labels.severity);
    expect(rule.annotations.summary).toMatch(/\.$/);
  }
});

it('the panels of the dashboard ask for figures that exist, and none covers another', () => {
  expect(dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => faultsOf(expr)))).toEqual([]);
  const places = dashboard.panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);
  expect(new Set(places).size).toBe(places.length);
});

it('the page names every figure of LotWatch', () => {
  const own = [...figures.keys()].filter((name) => name.startsWith('lotwatch_'));
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

interface Probe {
  httpGet: { path: string; port: string };
}
interface Deployment {
  kind: string;
  data?: Record<string, string>;
  spec: {
    template: {
      spec: {
        terminationGracePeriodSeconds: number;
        containers: (Record<'startupProbe' | 'readinessProbe' | 'livenessProbe', Probe> & {
          env: { name: string; value: string }[];
          ports: { name: string; containerPort: number }[];
        })[];
      };
    };
  };
}

it('the deployments of Kubernetes have settings that are accepted, and are asked where they answer', () => {
  const resources = parseAllDocuments(read('deploy/kubernetes/lotwatch.yaml')).map(
    (document) => document.toJSON() as Deployment,
  );
  const { data } = resources.find(({ kind }) => kind === 'ConfigMap') ?? {};
  const secret = { DATABASE_URL: 'postgres://db/lotwatch', SESSION_SECRET: 's'.repeat(32), SENDGRID_API_KEY: 'x' };
  const deployments = resources.filter(({ kind }) => kind === 'Deployment');
  expect(deployments).toHaveLength(2);
  for (const { spec } of deployments) {
    const { containers, terminationGracePeriodSeconds } = spec.template.spec;
    for (const { env, ports, startupProbe, readinessProbe, livenessProbe } of containers) {
      const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      const settings = readSettings({ ...data, ...secret, ...own });
      expect(settings.production).toBe(true);
      expect(terminationGracePeriodSeconds).toBeGreaterThan(settings.drainSeconds + 15);
      expect(ports.find(({ name }) => name === 'health')?.containerPort).toBe(settings.health?.port);
      expect([startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet)).toEqual(
        ['/livez', '/readyz', '/livez'].map((path) => ({ path, port: 'health' })),
      );
    }
  }
});
