/**
 * Starts Swagger UI with the document of the page's own host. Requests go to that host too, even if the public URL
 * differs: the browser would block other origins. Once a key is entered, the examples of POST /messages name a domain
 * of that key's account, a transactional one where there is one: until then they name that of the demo workspace.
 */
export const browserScript = `'use strict';
(async () => {
  const place = document.getElementById('docs');
  const api = new URL('v1', document.baseURI).href;
  const nameDomain = (spec, { id, domain }) => {
    for (const { examples = {} } of Object.values(spec.paths['/messages'].post.requestBody.content)) {
      for (const { value } of Object.values(examples)) {
        value.sending_domain_id = id;
        if (value.from_email) value.from_email = value.from_email.replace(/@.*/, '@' + domain);
      }
    }
  };
  const withOwnDomain = async (spec, key, ui) => {
    const response = await fetch(api + '/domains', { headers: { authorization: 'Bearer ' + key } });
    const active = response.ok ? (await response.json()).filter(({ status }) => status === 'active') : [];
    const own = active.find(({ category }) => category === 'transactional') ?? active[0];
    if (!own) return;
    nameDomain(spec, own);
    ui.specActions.updateSpec(JSON.stringify(spec));
  };
  try {
    const response = await fetch(new URL('v1/openapi.json', document.baseURI), { headers: { accept: 'application/json' } });
    if (!response.ok) throw new Error('HTTP ' + response.status);
    const spec = await response.json();
    spec.servers = [{ url: api }];
    const onKey = (authorize) => (entered) => {
      const key = Object.values(entered)[0]?.value;
      // Without an answer the examples stay as they are.
      if (typeof key === 'string') withOwnDomain(spec, key, ui).catch(() => undefined);
      return authorize(entered);
    };
    const ui = window.SwaggerUIBundle({
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
      plugins: [() => ({ statePlugins: { auth: { wrapActions: { authorize: onKey } } } })],
    });
  } catch (error) {
    place.textContent = 'The OpenAPI document could not be loaded: ' + error.message;
  }
})();
`;
