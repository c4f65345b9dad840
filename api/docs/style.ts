/** The look of the other pages (api/start-page/start-page-style.ts), laid over the style sheet of Swagger UI. */
export const style = `
:root { color-scheme: light dark; --ground: #f3f4f6; --card: #ffffff; --ink: #111827; --soft: #4b5563; --line: #e5e7eb; --accent: #1d4ed8; --on-accent: #ffffff; --code: #f3f4f6; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0b0f17; --card: #151b26; --ink: #f3f4f6; --soft: #a8b0bd; --line: #2a3342; --accent: #8ab4ff; --on-accent: #0b0f17; --code: #0b0f17; }
}
html, html.dark-mode, html.dark-mode .swagger-ui, .swagger-ui { background: var(--ground); color: var(--ink); }
body { margin: 0; font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
.wait { margin: 4rem auto; max-width: 40rem; padding: 0 1rem; text-align: center; }
header.top { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; align-items: baseline; max-width: 80rem; margin: 0 auto; padding: 1.25rem 1.25rem 0; box-sizing: border-box; }
header.top a { color: var(--accent); }
header.top .name { font-size: 1.375rem; font-weight: 700; color: var(--ink); text-decoration: none; }
header.top nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
header.top p { flex-basis: 100%; margin: 0.5rem 0 0; padding: 0.75rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.875rem; }
header.top code { font: 0.875em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-description, .swagger-ui .btn, .swagger-ui label, .swagger-ui select,
.swagger-ui .opblock .opblock-section-header h4, .swagger-ui table thead tr td, .swagger-ui table thead tr th, .swagger-ui .parameter__name, .swagger-ui .response-col_status,
.swagger-ui .info li, .swagger-ui .info p, .swagger-ui .info a, .swagger-ui section.models h4, .swagger-ui .opblock-description-wrapper p, .swagger-ui .tab li { font-family: inherit; }
.swagger-ui .wrapper { max-width: 80rem; padding: 0 1.25rem; }
.swagger-ui .info { margin: 1.5rem 0 1rem; }
.swagger-ui .info .title, .swagger-ui .opblock-tag, html.dark-mode .swagger-ui .info .title, html.dark-mode .swagger-ui .opblock-tag { color: var(--ink); }
.swagger-ui .info .title { font-size: 1.75rem; }
.swagger-ui a, .swagger-ui .info a, html.dark-mode .swagger-ui a, html.dark-mode .swagger-ui .info a { color: var(--accent); }
.swagger-ui a.nostyle, .swagger-ui .opblock-tag a.nostyle, html.dark-mode .swagger-ui a.nostyle { color: inherit; }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code, html.dark-mode .swagger-ui .markdown code, html.dark-mode .swagger-ui .renderedMarkdown code { background: var(--card); color: var(--ink); border: 1px solid var(--line); overflow-wrap: anywhere; }
.swagger-ui .scheme-container, html.dark-mode .swagger-ui .scheme-container { background: none; box-shadow: none; padding: 0.5rem 0; margin: 0; }
.swagger-ui .opblock { border-radius: 0.5rem; box-shadow: none; }
.swagger-ui .opblock-tag, html.dark-mode .swagger-ui .opblock-tag { border-bottom-color: var(--line); }
.swagger-ui .btn { border-radius: 0.5rem; box-shadow: none; }
.swagger-ui .btn.authorize, html.dark-mode .swagger-ui .btn.authorize { color: var(--accent); border-color: currentColor; background: var(--card); }
.swagger-ui .btn.authorize svg { fill: currentColor; }
.swagger-ui .btn.execute, html.dark-mode .swagger-ui .btn.execute { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.swagger-ui section.models, html.dark-mode .swagger-ui section.models { border-color: var(--line); border-radius: 0.875rem; }
html.dark-mode .swagger-ui .examples-select__section-label { color: var(--ink); }
html:not(.dark-mode) .swagger-ui .opblock-get .opblock-summary-method { background: #1d4ed8; }
html:not(.dark-mode) .swagger-ui .opblock-post .opblock-summary-method, html:not(.dark-mode) .swagger-ui .info .title small.version-stamp { background: #15803d; }
html:not(.dark-mode) .swagger-ui .opblock-patch .opblock-summary-method { background: #0f766e; }
html:not(.dark-mode) .swagger-ui .opblock-delete .opblock-summary-method { background: #b91c1c; }
html:not(.dark-mode) .swagger-ui .parameter__in, html:not(.dark-mode) .swagger-ui .json-schema-2020-12-expand-deep-button { color: var(--soft); }
.swagger-ui .markdown table { display: block; overflow-x: auto; }
.swagger-ui .markdown summary { cursor: pointer; font-weight: 600; }
/* The same two headers at each answer; the text at the top has them. No operation has links. The page has one server. */
.swagger-ui .headers-wrapper, .swagger-ui .response-col_links, .swagger-ui .servers-title, .swagger-ui .servers { display: none; }
@media (max-width: 40rem) {
  header.top, .swagger-ui .wrapper { padding-left: 0.75rem; padding-right: 0.75rem; }
  header.top p { padding: 0.75rem 1rem; }
}
`;
