/**
 * Makes and uses passkeys: a form with `data-passkey` (`create` or `get`) and the options shows itself where the
 * browser can, asks the device, and is sent with its answer. Options and answer are JSON with bytes as base64url.
 */
export const PASSKEY_SCRIPT = `'use strict';
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=+$/, '');
const withIds = (list) => (list || []).map((one) => ({ ...one, id: bytes(one.id) }));
const ask = {
  create: (options) => navigator.credentials.create({ publicKey: { ...options, challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) }, excludeCredentials: withIds(options.excludeCredentials) } }),
  get: (options) => navigator.credentials.get({ publicKey: { ...options, challenge: bytes(options.challenge) } }),
};
const told = ({ id, type, rawId, response, authenticatorAttachment }) => ({ id, type, rawId: text(rawId),
  authenticatorAttachment: authenticatorAttachment || undefined, clientExtensionResults: {},
  response: {
    clientDataJSON: text(response.clientDataJSON),
    ...(response.attestationObject && { attestationObject: text(response.attestationObject) }),
    ...(response.getTransports && { transports: response.getTransports() }),
    ...(response.authenticatorData && { authenticatorData: text(response.authenticatorData) }),
    ...(response.signature && { signature: text(response.signature) }),
    ...(response.userHandle && { userHandle: text(response.userHandle) }),
  } });
for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!window.PublicKeyCredential || location.origin !== form.dataset.origin) continue;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    if (form.elements.answer.value) return;
    event.preventDefault();
    ask[form.dataset.passkey](JSON.parse(form.dataset.options)).then((answer) => {
      form.elements.answer.value = JSON.stringify(told(answer));
      form.submit();
    }, (error) => {
      const said = form.querySelector('[role=alert]');
      said.hidden = false;
      said.dataset.error = error.name;
    });
  });
}
`;
