import Joi from 'joi';
import type { OWN_REASONS } from '../../domain/contacts/suppression';
import { emailAddress } from '../rules/address-rules';
import { ownReason } from '../rules/enums';
import type { Shape } from '../rules/normalize';
import { pageNumber, pageShape } from '../rules/page';

export const suppressionListShape = { email: 'text', reason: 'text', ...pageShape } as const satisfies Shape;

export interface SuppressionListQuery {
  /** Asks about this address alone. */
  email?: string;
  reason?: (typeof OWN_REASONS)[number];
  page?: number;
}

/** The query of GET /suppressions (docs/contract.md#list-of-suppressions). */
export const suppressionListRules = Joi.object<SuppressionListQuery>({
  email: emailAddress,
  reason: ownReason,
  page: pageNumber,
});

export const newSuppressionShape = { email: 'text' } as const satisfies Shape;

export interface NewSuppressionFields {
  email: string;
}

/** The body of POST /suppressions (docs/contract.md#suppress-an-address). */
export const newSuppressionRules = Joi.object<NewSuppressionFields>({ email: emailAddress.required() });
