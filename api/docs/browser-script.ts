/**
 * Starts Swagger UI with the document of the page's own host. Requests go to that host too, even if the public URL
 * differs: the browser would block other origins.
 */
export const browserScript = `'use strict';
(async () => {
  const place = document.getElementById('docs');
  try {
    const response = await fetch(new URL('v1/openapi.json', document.baseURI), { headers: { accept: 'application/json' } });
    if (!response.ok) throw new Error('HTTP ' + response.status);
    const spec = await response.json();
    spec.servers = [{ url: new URL('v1', document.baseURI).href }];
    window.SwaggerUIBundle({
      spec,
      domNode: place,
      presets: [window.SwaggerUIBundle.presets.apis],
      layout: 'BaseLayout',
      deepLinking: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
      defaultModelExpandDepth: 3,
      persistAuthorization: false,
      validatorUrl: null,
    });
  } catch (error) {
    place.textContent = 'The document could not be loaded: ' + error.message;
  }
})();
`;
