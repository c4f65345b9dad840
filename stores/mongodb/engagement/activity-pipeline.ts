import { HOUR } from '../../../lib/clock';

/** Builds the MailActivity of these emails from their signals. */
export function activityPipeline(messageIds: readonly string[]): object[] {
  const isClick = { $eq: ['$kind', 'click'] };
  const isPerson = { $eq: ['$machine', null] };
  const isPersonsClick = { $and: [isClick, isPerson] };
  return [
    { $match: { messageId: { $in: messageIds }, kind: { $in: ['open', 'click'] } } },
    {
      $group: {
        _id: { messageId: '$messageId', hour: { $subtract: ['$at', { $mod: ['$at', HOUR] }] } },
        lastAt: { $max: '$at' },
        lastClickAt: { $max: { $cond: [isClick, '$at', null] } },
        clicks: { $sum: { $cond: [isClick, 1, 0] } },
        peopleLastAt: { $max: { $cond: [isPerson, '$at', null] } },
        peopleLastClickAt: { $max: { $cond: [isPersonsClick, '$at', null] } },
        peopleClicks: { $sum: { $cond: [isPersonsClick, 1, 0] } },
      },
    },
    {
      $project: {
        _id: 0,
        messageId: '$_id.messageId',
        lastAt: 1,
        lastClickAt: 1,
        clicks: 1,
        people: { lastAt: '$peopleLastAt', lastClickAt: '$peopleLastClickAt', clicks: '$peopleClicks' },
      },
    },
  ];
}
