import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import { browserScript } from './browser-script';
import { pack, type Packed } from './packed';
import { style } from './style';

/** Files that come with the package swagger-ui-dist, by name. */
const PACKAGED = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
const OWN: Readonly<Record<string, string>> = { 'docs.css': style, 'docs.js': browserScript };

/** Loads the assets of the docs page, each when it is first asked for. */
export class Assets {
  private readonly loaded = new Map<string, Promise<Packed>>();
  private keyed: string | undefined;

  /** A short text that changes with the assets. */
  async key(): Promise<string> {
    return (this.keyed ??= await makeKey());
  }

  /** The asset, or null when there is none of this name. */
  async get(name: string): Promise<Packed | null> {
    if (!PACKAGED.includes(name) && !Object.hasOwn(OWN, name)) return null;
    const known = this.loaded.get(name);
    if (known) return known;
    const asset = load(name);
    this.loaded.set(name, asset);
    // Whoever asks next tries again.
    asset.catch(() => this.loaded.delete(name));
    return asset;
  }
}

async function makeKey(): Promise<string> {
  const manifest = await readFile(require.resolve('swagger-ui-dist/package.json'));
  return createHash('sha256').update(manifest).update(style).update(browserScript).digest('hex').slice(0, 12);
}

async function load(name: string): Promise<Packed> {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  return pack(OWN[name] ?? (await readFile(join(folder, name))));
}
