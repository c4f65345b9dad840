import { texts } from '../domain/texts';
import { inEnglish, summary, type FieldErrors } from '../schemas/rules/validation-messages';

/**
 * Every error a caller can receive: status, stable `code`, text (docs/contract.md#error-statuses). Code that raises an
 * error fills in scopes, links, fields and numbers.
 */
export const ERRORS = {
  malformed_body: { status: 400, text: 'The request body is malformed.' },
  malformed_query: { status: 400, text: 'The query string is malformed.' },
  // For bytes that Node could not read as a request; also with 408, 413 and 431.
  unreadable_request: { status: 400, text: 'Bad Request.' },
  missing_api_key: { status: 401, text: texts.missingKey },
  invalid_api_key: { status: 401, text: texts.invalidKey },
  workspace_suspended: { status: 403, text: texts.workspaceSuspended },
  missing_scope: { status: 403, text: texts.missingScope('…') },
  module_inactive: { status: 403, text: texts.moduleInactive('…') },
  module_closed: { status: 403, text: texts.moduleClosed },
  not_found: { status: 404, text: texts.notFound },
  method_not_allowed: { status: 405, text: texts.methodNotAllowed },
  body_too_large: { status: 413, text: 'The request body must not be greater than 20 MB.' },
  unsupported_media_type: { status: 415, text: 'The request body must be JSON or a form.' },
  validation_failed: { status: 422, text: 'The request is invalid.' },
  recipient_malformed: { status: 422, text: 'The to field must be a valid email address.' },
  domain_unknown: { status: 422, text: 'The selected sending_domain_id is invalid.' },
  domain_inactive: { status: 422, text: texts.domainInactive },
  from_email_mismatch: { status: 422, text: 'The from_email field must be an address at the sending domain.' },
  no_coins: { status: 422, text: texts.noCoins },
  recipient_suppressed: { status: 422, text: texts.suppressed },
  recipient_unsubscribed: { status: 422, text: texts.recipientUnsubscribed },
  business_address_missing: { status: 422, text: texts.businessAddressMissing },
  campaign_content_missing: { status: 422, text: texts.campaignContentMissing },
  campaign_coins: { status: 422, text: texts.campaignCoins('N', 'M') },
  campaign_not_approved: { status: 422, text: texts.campaignNotApproved },
  campaign_not_draft: { status: 422, text: texts.campaignNotDraft },
  campaign_not_live: { status: 422, text: texts.campaignNotLive },
  campaign_not_paused: { status: 422, text: texts.campaignNotPaused },
  campaign_not_started: { status: 422, text: texts.campaignNotStarted },
  journey_not_api: { status: 422, text: texts.journeyNotApi },
  journey_inactive: { status: 422, text: texts.journeyInactive },
  contact_unsubscribed: { status: 422, text: texts.contactUnsubscribedHere },
  suppression_not_manual: { status: 422, text: 'Only a manual entry can be deleted here.' },
  message_too_late: { status: 409, text: texts.messageTooLate },
  webhook_limit: { status: 422, text: texts.webhookLimit },
  webhook_inactive: { status: 409, text: 'The webhook is not active.' },
  too_many_attempts: { status: 429, text: texts.tooMany },
  server_error: { status: 500, text: texts.serverError },
  busy: {
    status: 503,
    text: 'The server is busy with other large requests. Please send this one again after a few seconds.',
  },
  switched_off: { status: 503, text: texts.switchedOff },
  starting: { status: 503, text: texts.switchedOff },
  standby: { status: 503, text: texts.switchedOff },
} as const;
export type ErrorCode = keyof typeof ERRORS;

/** Body of every error response. `code` is stable, `message` is for people. */
export interface ErrorBody {
  message: string;
  code: string;
  errors?: Record<string, string[]>;
}

interface Particulars {
  text?: string;
  errors?: FieldErrors;
  headers?: Readonly<Record<string, string>>;
}

/** Ends a request with one of the errors above. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  private readonly errors: FieldErrors | undefined;

  constructor(
    readonly code: ErrorCode,
    { text, errors, headers = {} }: Particulars = {},
  ) {
    super(text ?? ERRORS[code].text);
    this.status = ERRORS[code].status;
    this.errors = errors;
    this.headers = headers;
  }

  get body(): ErrorBody {
    return { message: this.message, code: this.code, ...(this.errors && { errors: inEnglish(this.errors) }) };
  }
}

/** The 422 for invalid fields, with the counting suffix (docs/contract.md#validation-errors). */
export function invalidFields(errors: FieldErrors): ApiError {
  return new ApiError('validation_failed', { text: summary(errors), errors });
}
