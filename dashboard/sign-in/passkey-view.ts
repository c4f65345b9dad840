import type { RelyingParty } from '../../operations/people/passkeys';
import { BASE } from '../kit/cookies';
import { html, type Html } from '../kit/html';
import type { Texts } from '../texts/texts';

/** The button that signs in by passkey. It shows itself where the browser can. */
export function passkeyView(
  t: Texts,
  { rp, next, challenge }: { rp: RelyingParty; next: string; challenge: string },
): Html {
  const options = { challenge, rpId: rp.id, userVerification: 'required', timeout: 120_000 };
  return html`<form
    class="panel"
    method="post"
    action="${BASE}/sign-in/passkey"
    data-passkey="get"
    data-origin="${rp.origin}"
    data-options="${JSON.stringify(options)}"
    hidden
  >
    <input type="hidden" name="next" value="${next}" /><input type="hidden" name="answer" value="" />
    <p class="fault" role="alert" hidden>${t.passkeyNone}</p>
    <button class="plain">${t.passkeySignIn}</button>
  </form>`;
}
