/** The style sheet of all public pages: no image, font or script, so that the pages load nothing else. */
export const style = `
:root { color-scheme: light dark; --ground: #f3f4f6; --card: #ffffff; --ink: #111827; --soft: #4b5563; --line: #e5e7eb; --field: #6b7280; --accent: #1d4ed8; --on-accent: #ffffff; --bad: #b91c1c; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0b0f17; --card: #151b26; --ink: #f3f4f6; --soft: #a8b0bd; --line: #2a3342; --field: #8b95a5; --accent: #8ab4ff; --on-accent: #0b0f17; --bad: #fca5a5; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.25rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
main { width: 100%; max-width: 30rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 1rem; color: var(--soft); }
b { color: var(--ink); font-weight: 600; }
button { width: 100%; margin-top: 0.5rem; padding: 0.85rem 1.25rem; border: 0; border-radius: 0.6rem; background: var(--accent); color: var(--on-accent);
  font: inherit; font-weight: 600; cursor: pointer; }
button:hover { filter: brightness(1.1); }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
label { display: block; margin-top: 1rem; font-weight: 600; }
label small { font-weight: 400; color: var(--soft); }
input[type='email'], input[type='text'] { width: 100%; margin-top: 0.25rem; padding: 0.7rem 0.8rem; border: 1px solid var(--field); border-radius: 0.6rem;
  background: var(--card); color: var(--ink); font: inherit; }
input[aria-invalid='true'] { border-color: var(--bad); }
input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.check { display: grid; grid-template-columns: auto 1fr; gap: 0.25rem 0.75rem; align-items: start; margin: 1.25rem 0 0.75rem; }
.check label { margin: 0; font-weight: 400; }
.check input { width: 1.25rem; height: 1.25rem; margin: 0.2rem 0 0; accent-color: var(--accent); }
.check .error { grid-column: 2; }
.error { margin: 0.25rem 0 0; color: var(--bad); font-size: 0.9375rem; }
.alert { margin: 0 0 1rem; padding: 0.75rem 1rem; border: 1px solid var(--bad); border-radius: 0.6rem; }
.alert p { margin: 0; color: var(--bad); }
.alert p:first-child { font-weight: 600; }
.trap { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.links { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; list-style: none; margin: 0; padding: 0; }
a { color: var(--accent); }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
footer { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 0.875rem; color: var(--soft); white-space: pre-line; }
main > :last-child { margin-bottom: 0; }
`;
