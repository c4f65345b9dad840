const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** What people call the browser and system of a User-Agent; null when it is neither of a known one. */
export function agentName(agent: string): string | null {
  const found = [BROWSERS, SYSTEMS].flatMap((table) => table.find(([pattern]) => pattern.test(agent))?.[1] ?? []);
  return found.length === 0 ? null : found.join(', ');
}
