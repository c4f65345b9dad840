import Joi from 'joi';
import type { Audience } from '../../domain/contacts/audience';
import { objectTime as timeText } from '../rules/timestamps';
import { named, nullable, oneOf, type ValueOf } from './closed';
import { count, id, objectTime } from './fields';

/** An audience (docs/contract.md#audience). */
export const audienceAnswer = named(
  'Audience',
  {
    id: id.description('The id of the audience.'),
    workspace_id: id.description('The workspace of the audience.'),
    name: Joi.string().description('The name of the audience.'),
    description: nullable(Joi.string()).description('For your own use; null if there is none.'),
    public_token: Joi.string().description('Identifies the audience in the link of its public sign-up form.'),
    opt_in_mode: oneOf('single', 'double').description(
      'With `double`, a member must confirm by email before receiving campaigns.',
    ),
    created_at: objectTime.description('When it was created.'),
    updated_at: objectTime.description('When it was last changed.'),
    contacts_count: count.description('The number of its members.'),
  },
  'A group of contacts.',
).example({
  id: 12,
  workspace_id: 3,
  name: 'Pelanggan tetap',
  description: null,
  public_token: 'm8Jw2qTzX0bYc4Lr',
  opt_in_mode: 'single',
  created_at: '2026-09-22T03:15:06.088000Z',
  updated_at: '2026-09-22T03:15:06.088000Z',
  contacts_count: 240,
});

export const presentAudience = (audience: Audience): ValueOf<typeof audienceAnswer> => ({
  id: audience.id,
  workspace_id: audience.workspaceId,
  name: audience.name,
  description: audience.description,
  public_token: audience.publicToken,
  opt_in_mode: audience.optInMode,
  created_at: timeText(audience.createdAt),
  updated_at: timeText(audience.updatedAt),
  contacts_count: audience.contactsCount,
});
