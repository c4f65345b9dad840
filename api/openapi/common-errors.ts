import { texts } from '../../domain/texts';
import type { Route } from '../route';
import type { OperationRefusal } from './operation';

const WITH_BODY: readonly OperationRefusal[] = [
  { code: 'malformed_body', text: 'The request body is not valid JSON.' },
  { code: 'body_too_large' },
  { code: 'busy' },
  {
    code: 'unsupported_media_type',
    text: 'The Content-Type must be application/json or application/x-www-form-urlencoded.',
  },
];
const WITH_QUERY: readonly OperationRefusal[] = [
  { code: 'malformed_query', text: 'The query string has too many fields.' },
];
const ALWAYS: readonly OperationRefusal[] = [
  { code: 'missing_api_key' },
  { code: 'invalid_api_key' },
  { code: 'workspace_suspended' },
  { code: 'not_found' },
  { code: 'too_many_attempts' },
  { code: 'server_error' },
  { code: 'switched_off' },
  { code: 'starting' },
];
const WITH_MODULE: readonly OperationRefusal[] = [
  { code: 'module_inactive', text: texts.moduleInactive('https://mail.example.com') },
  { code: 'module_closed' },
];

/** The errors that the guards before a route may return (docs/contract.md#error-statuses). */
export function commonErrors({ method, scope, emailModule, query, body }: Route): OperationRefusal[] {
  return [
    ...(body ? WITH_BODY : []),
    ...(query ? WITH_QUERY : []),
    ...ALWAYS,
    ...(method === 'GET' ? [] : [{ code: 'standby' } as const]),
    ...(scope === 'any' ? [] : [{ code: 'missing_scope', text: texts.missingScope(scope) } as const]),
    ...(emailModule === 'required' ? WITH_MODULE : []),
  ];
}
