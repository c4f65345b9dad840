import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '../../../operations/config/config';
import { ROLES } from '../../../operations/config/roles';
import { freePorts } from '../../../proof/crash/free-ports';
import { Running } from '../../support/running';
import { services } from './compose-file';

const FOLDER = join(__dirname, '../../../packaging/docker/grafana');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}
interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string };
}

const { panels } = JSON.parse(read('dashboard.json')) as { panels: Panel[] };
const { groups } = parse(read('alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const expressions = [
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ from: title, expr }))),
  ...rules.map(({ alert, expr }) => ({ from: alert, expr })),
];

/** Metrics of the program, each with its labels in use. */
function metricsOf(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name = ''] of text.matchAll(/^# TYPE (\S+) /gm)) found.set(name, new Set());
  for (const [, sample = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
    const name = found.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '');
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) found.get(name)?.add(label);
  }
  return found;
}

/** The metrics of an expression, each with the labels that it is asked by. */
const namesIn = (expr: string): { name: string; labels: string[] }[] =>
  [...expr.matchAll(/\b((?:kurir|process|nodejs)_[a-z_]+)(?:\{([^}]*)\})?/g)].map(([, name = '', matchers = '']) => ({
    name: name.replace(/_(bucket|sum|count)$/, ''),
    labels: [...matchers.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label),
  }));

describe('packaging/docker/grafana', () => {
  let running: Running;
  let offered: Map<string, Set<string>>;
  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    running = await Running.start({ KURIR_METRICS_PORT: String(port) });
    // One request, so that its labels are there.
    await running.api.get('/account');
    offered = metricsOf(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  });
  afterAll(() => running.stop());

  it('asks for metrics and labels that the running program has, and no others', () => {
    const missing = expressions.flatMap(({ from, expr }) =>
      namesIn(expr).flatMap(({ name, labels }) => {
        const has = offered.get(name);
        if (!has) return [`${from}: ${name}`];
        return labels.filter((label) => !has.has(label)).map((label) => `${from}: ${name}{${label}}`);
      }),
    );
    expect(expressions.length).toBeGreaterThan(60);
    expect(missing).toEqual([]);
  });

  it('shows every metric of the program on the board', () => {
    const shown = new Set(
      panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namesIn(expr))).map(({ name }) => name),
    );
    expect([...offered.keys()].filter((name) => !shown.has(name))).toEqual([]);
  });

  it('every metric is in the table of docs/operations.md', () => {
    const docs = readFileSync(join(__dirname, '../../../docs/operations.md'), 'utf8');
    const named = [...docs.matchAll(/^\| `((?:kurir|process|nodejs)_[a-z_]+)`/gm)].map(([, name = '']) => name);
    expect(named.sort()).toEqual([...offered.keys()].sort());
  });

  it('has rules with a severity and a sentence, each in the tests', () => {
    const tests = read('alerts.test.yml');
    for (const { alert, labels, annotations } of rules) {
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\S/);
      expect(tests).toContain(`alertname: ${alert}\n`);
    }
  });

  it('scrapes every role of docker-compose.yml, at the port it has', () => {
    const { scrape_configs: scrapes } = parse(read('prometheus.yml')) as {
      scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[];
    };
    const [{ names, port }] = scrapes[0]!.dns_sd_configs as [{ names: string[]; port: number }];
    const roles = services.filter(([, { command = [] }]) => command.includes('--roles')).map(([name]) => name);
    expect(names.sort()).toEqual(roles.sort());
    expect(port).toBe(readConfig({}).metricsPort);
    expect(ROLES.length).toBeGreaterThan(names.length);
  });

  const found = spawnSync('promtool', ['--version']);
  // Where it is on the PATH.
  if (!found.error) {
    it.each([
      ['check', 'rules', 'alerts.yml'],
      ['check', 'config', 'prometheus.yml'],
      ['test', 'rules', 'alerts.test.yml'],
    ])('promtool %s %s %s', (...args) => {
      const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' });
      expect(`${stdout}${status === 0 ? '' : stderr}`).toContain('SUCCESS');
      expect(status).toBe(0);
    });
  }
});
