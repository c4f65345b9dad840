import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const STAGE = join(__dirname, '../../../packaging/docs/stage.mjs');
const PRINT = `import(process.argv[1]).then(({ stage }) => console.log(JSON.stringify(stage(process.argv[2]))))`;

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'kurir-stage-'));
  mkdirSync(join(root, 'docs/decisions'), { recursive: true });
  write('README.md', '# Kurir\n\n## First mail\n');
  write('LICENSE', '');
  write(
    'docs/README.md',
    '# Docs\n\n[Start](../README.md#first-mail), [one](decisions/0001-one.md), [terms](../LICENSE)\n',
  );
  write('docs/picture.png', '');
  write(
    'docs/decisions/0001-one.md',
    '# 1. One\n\n![a [b]](../picture.png) <!-- a note -->\n\n```\n[x](nowhere.md)\n```\n',
  );
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
const staged = (): { pages: { place: string; text: string }[]; images: string[] } =>
  JSON.parse(execFileSync(process.execPath, ['-e', PRINT, STAGE, root], { encoding: 'utf8' })) as never;

it('pages get their place, links follow, what is no page is text, code stays', () => {
  const { pages, images } = staged();
  const text = (place: string): string | undefined => pages.find((page) => page.place === place)?.text;
  expect(text('index.md')).toContain('[Start](./readme.md#first-mail), [one](./decisions/0001-one.md), terms\n');
  expect(text('decisions/0001-one.md')).toContain('![a [b]](./../picture.png)');
  expect(text('decisions/0001-one.md')).toContain('[x](nowhere.md)');
  expect(images).toEqual(['docs/picture.png']);
});

it.each(['[a](gone.md)', '![a](gone.png)', '[a](../README.md#gone)', '[a](#gone)'])('%s ends the build', (link) => {
  write('docs/other.md', `# Other\n\n${link}\n`);
  const { status, stderr } = spawnSync(process.execPath, ['-e', PRINT, STAGE, root], { encoding: 'utf8' });
  rmSync(join(root, 'docs/other.md'));
  expect(status).toBe(1);
  expect(stderr).toContain(`Dead links:\n  docs/other.md: ${/\((.+)\)/.exec(link)?.[1]}`);
});
