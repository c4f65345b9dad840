import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import { browserScript } from './browser-script';
import { pack, type Packed } from '../http/packed';
import { style } from './style';
import { themeScript } from './theme-script';

/** Files from the package swagger-ui-dist, by name. */
const PACKAGED = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
const OWN: Readonly<Record<string, string>> = { 'docs.css': style, 'docs.js': browserScript, 'theme.js': themeScript };

/** Loads the assets of the docs page, each on first use. */
export class Assets {
  private readonly loaded = new Map<string, Promise<Packed>>();
  private keyed: string | undefined;

  /** A short key that changes whenever the assets change. */
  async key(): Promise<string> {
    return (this.keyed ??= await makeKey());
  }

  /** The asset of this name, or null. */
  async get(name: string): Promise<Packed | null> {
    if (!PACKAGED.includes(name) && !Object.hasOwn(OWN, name)) return null;
    const known = this.loaded.get(name);
    if (known) return known;
    const asset = load(name);
    this.loaded.set(name, asset);
    // The next request tries again.
    asset.catch(() => this.loaded.delete(name));
    return asset;
  }
}

async function makeKey(): Promise<string> {
  const manifest = await readFile(require.resolve('swagger-ui-dist/package.json'));
  return createHash('sha256')
    .update(manifest)
    .update(style)
    .update(browserScript)
    .update(themeScript)
    .digest('hex')
    .slice(0, 12);
}

async function load(name: string): Promise<Packed> {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  return pack(OWN[name] ?? (await readFile(join(folder, name))));
}
