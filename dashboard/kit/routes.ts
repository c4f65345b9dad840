import type { Screen } from './screen';

interface Pattern {
  screen: Screen;
  parts: readonly string[];
}

/** Finds the screen of a path. */
export class Routes {
  private readonly patterns: readonly Pattern[];

  constructor(screens: readonly Screen[]) {
    this.patterns = screens.map((screen) => ({ screen, parts: screen.path.split('/') }));
  }

  /** The screen that a path means, with what it names; null for none. `methods` tells of others at the same path. */
  find(
    of: readonly Screen['of'][],
    method: string,
    path: string,
  ): { screen: Screen; params: Record<string, string> } | null {
    const parts = path.split('/');
    for (const { screen, parts: wanted } of this.patterns) {
      if (!of.includes(screen.of) || screen.method !== method || wanted.length !== parts.length) continue;
      const params = matched(wanted, parts);
      if (params) return { screen, params };
    }
    return null;
  }
}

function matched(wanted: readonly string[], parts: readonly string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [i, want] of wanted.entries()) {
    const part = parts[i] ?? '';
    if (!want.startsWith(':')) {
      if (want !== part) return null;
      continue;
    }
    try {
      params[want.slice(1)] = decodeURIComponent(part);
    } catch {
      return null;
    }
  }
  return params;
}
