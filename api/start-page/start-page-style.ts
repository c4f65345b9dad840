/** The style sheet of the page at `/`: no image, font or script, so that it loads nothing else. */
export const style = `
:root { color-scheme: light dark; --ground: #f3f4f6; --card: #ffffff; --ink: #111827; --soft: #4b5563; --line: #e5e7eb; --accent: #1d4ed8; --good: #15803d; --code: #f3f4f6; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0b0f17; --card: #151b26; --ink: #f3f4f6; --soft: #a8b0bd; --line: #2a3342; --accent: #8ab4ff; --good: #5fd38a; --code: #0b0f17; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
main { max-width: 48rem; margin: 0 auto; padding: 2rem 1.25rem; }
h1 { margin: 0 0 0.25rem; font-size: 1.75rem; line-height: 1.25; }
h2 { margin: 0 0 0.75rem; font-size: 1.125rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
.state { color: var(--good); font-weight: 600; }
.soft { color: var(--soft); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 0.875rem; padding: 1.25rem; margin-top: 1rem; }
section > :last-child { margin-bottom: 0; }
ul.places { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr)); gap: 0.75rem; }
ul.places a { display: block; height: 100%; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; text-decoration: none; }
ul.places a:hover { background: var(--ground); }
ul.places strong { display: block; }
ul.places span { color: var(--soft); font-size: 0.9375rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 1rem; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: 0 0 1rem; padding: 0.85rem 1rem; background: var(--code); border: 1px solid var(--line); border-radius: 0.5rem; font: 0.875rem/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
code { font: 0.875em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  main { padding: 1rem 0.75rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd + dt { margin-top: 0.5rem; }
}
`;
