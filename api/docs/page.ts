/**
 * The page may load only itself, the images in its style sheet, and the API of the same host. No inline script or
 * style.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const DEMO_HINT =
  ' The key of the demo workspace is in <code>first-run.json</code> in the data directory; <code>npx kurir demo</code> prints it.';

/**
 * The page at `/docs`. Its links are relative, so it also works below a path prefix; `folder` holds its assets.
 * `hasDemo`: it says where the key of the demo workspace is.
 */
export const docsPage = (folder: string, hasDemo: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kurir API</title>
<link rel="icon" type="image/png" href="${folder}/favicon-32x32.png">
<link rel="stylesheet" href="${folder}/swagger-ui.css">
<link rel="stylesheet" href="${folder}/docs.css">
<script src="${folder}/theme.js"></script>
</head>
<body>
<header class="top">
<a class="name" href="./">Kurir</a>
<nav aria-label="Kurir"><a href="./">Start page</a> <a href="docs/guide/">Documentation</a> <a href="v1/openapi.json">OpenAPI document</a></nav>
<p><b>To try a request,</b> click Authorize and enter an API key, then click “Try it out”.${hasDemo ? DEMO_HINT : ''}</p>
</header>
<main id="docs"><p class="wait">Loading…</p></main>
<noscript><p class="wait">This page needs JavaScript. You can download the document instead: <a href="v1/openapi.json">openapi.json</a></p></noscript>
<script src="${folder}/swagger-ui-bundle.js"></script>
<script src="${folder}/docs.js"></script>
</body>
</html>
`;
