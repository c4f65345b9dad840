import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Context } from 'koa';
import { answerPacked, pack, type Packed } from '../../api/http/packed';
import { BASE_SCRIPT } from './base-script';
import { CHART_SCRIPT } from './chart-script';
import { PASSKEY_SCRIPT } from './passkey-script';
import { PREVIEW_SCRIPT } from './preview-script';
import { STYLE } from './style';

const FOR_EVER = 'public, max-age=31536000, immutable';

const ofPackage =
  (name: string, ...path: readonly string[]) =>
  async (): Promise<Buffer> =>
    readFile(join(dirname(require.resolve(`${name}/package.json`)), ...path));

const uPlot = (file: string) => ofPackage('uplot', 'dist', file);

/** What the screens load, by its name: from packages, and our own. */
const SOURCES: Readonly<Record<string, () => Promise<Buffer | string>>> = {
  'app.css': async () => STYLE + (await uPlot('uPlot.min.css')()).toString(),
  'app.js': async () => BASE_SCRIPT,
  'passkey.js': async () => PASSKEY_SCRIPT,
  'preview.js': async () => PREVIEW_SCRIPT,
  'chart.js': async () => (await uPlot('uPlot.iife.min.js')()).toString() + CHART_SCRIPT,
  'htmx.js': ofPackage('htmx.org', 'dist', 'htmx.min.js'),
};

/**
 * The assets, loaded once, when a screen is first asked for. The address of each changes with its content, so that a
 * browser keeps it for ever.
 */
export class Assets {
  private loading: Promise<ReadonlyMap<string, { packed: Packed; path: string }>> | null = null;

  constructor(private readonly base: string) {}

  private get loaded() {
    return (this.loading ??= this.load());
  }

  private async load() {
    const all = Object.entries(SOURCES).map(async ([name, read]) => {
      const content = await read();
      const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
      return [name, { packed: await pack(content), path: `${this.base}/${hash}/${name}` }] as const;
    });
    return new Map(await Promise.all(all));
  }

  /** The addresses by name. */
  async paths(): Promise<Readonly<Record<string, string>>> {
    return Object.fromEntries([...(await this.loaded)].map(([name, { path }]) => [name, path]));
  }

  /** Answers with the asset at the address of the request; false if there is none. */
  async answer(ctx: Context): Promise<boolean> {
    const name = ctx.path.slice(ctx.path.lastIndexOf('/') + 1);
    const asset = (await this.loaded).get(name);
    if (!asset) return false;
    // A page of another version may ask under its own address: it gets what there is, but does not keep it.
    const cache = asset.path === ctx.path ? FOR_EVER : 'no-cache';
    answerPacked(ctx, asset.packed, name.endsWith('.css') ? 'css' : 'js', cache);
    return true;
  }
}
