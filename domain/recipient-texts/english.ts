import type { RecipientTexts } from './texts';

export const english: RecipientTexts = {
  forms: {
    subscribeTo: (audience) => `Subscribe to ${audience}`,
    intro: (sender) => ['Fill in this form to get email from ', sender],
    labels: {
      email: 'Email address',
      name: 'Name',
      optional: 'optional',
      trap: 'Leave this field empty',
      button: 'Subscribe',
    },
    consent: (sender) => `I agree to get email from ${sender}. I can unsubscribe at any time.`,
    errors: {
      title: 'The form could not be sent yet',
      email: 'Enter a valid email address, such as name@example.com.',
      name: 'A name has at most 255 characters.',
      consent: 'Tick the box to agree.',
      redirect: 'The page to go to after this form is not allowed. Please send the form once more without it.',
    },
    thanks: {
      heading: 'Thank you',
      single: 'We have noted your subscription.',
      double: 'One more step: open the email that we send you, and press the button in it to confirm.',
      spam: 'Nothing there yet? Have a look in your spam folder too.',
    },
    confirm: {
      heading: 'Confirm your subscription',
      ask: ['Press the button below to get ', ' at ', '.'],
      button: 'Yes, subscribe me',
    },
    confirmed: {
      heading: 'Your subscription is active',
      text: ['Thank you. You will get ', ' at ', '.'],
    },
    before: { heading: 'Your subscription is active already' },
    expired: {
      heading: 'This link has expired',
      text: 'The time to confirm is over. Fill in the form once more to get a new link.',
    },
    notFound: {
      heading: 'Form not found',
      text: 'The address of this form is incomplete or no longer valid.',
    },
    notConfirmable: {
      heading: 'Link not found',
      text: 'This link is incomplete. Please open it again from the email that you got.',
    },
    tooMany: {
      heading: 'Too many attempts',
      text: 'This form was sent too often. Please try again in a minute.',
    },
    tooManyToday: {
      heading: 'Too many attempts',
      text: 'This form was sent too often from your network today. Please try again tomorrow.',
    },
    unreadable: {
      heading: 'The form cannot be read',
      text: 'This is not a form that we know. Please go back to the form and try again.',
    },
    methodNotAllowed: {
      heading: 'Request not supported',
      text: 'Please open this page in your browser.',
    },
  },
  pages: {
    sender: 'The sender',
    you: 'you',
    unsubscribeButton: 'Unsubscribe',
    notFound: {
      heading: 'Link not found',
      paragraphs: ['This link is incomplete or no longer valid. Please open it again from the email that you got.'],
    },
    hiddenLink: {
      heading: 'There is nothing here',
      paragraphs: ['This link leads nowhere. Please use another link in the email that you got.'],
    },
    products: {
      heading: 'Email Marketing',
      paragraphs: [
        'The Email Marketing module is not active for your account, so the API refuses this request.',
        'The operator of the service activates it with the command {command}. After that the same request can be made again.',
      ],
    },
    methodNotAllowed: {
      heading: 'Request not supported',
      paragraphs: ['Please open the link from the email that you got.'],
    },
    tooLarge: {
      heading: 'Request too large',
      paragraphs: ['Please open the link from the email that you got, and try again.'],
    },
    unreadable: {
      heading: 'The request cannot be read',
      paragraphs: ['Please open the link from the email that you got, and try again.'],
    },
    tryAgain: {
      heading: 'Something went wrong',
      paragraphs: ['Your request could not be processed yet. Please try again in a moment.'],
    },
    askToUnsubscribe: {
      heading: 'Unsubscribe?',
      paragraphs: ['{sender} will send no more email to {address} once you press the button below.'],
    },
    alreadyUnsubscribed: {
      heading: 'You are already unsubscribed',
      paragraphs: ['{sender} no longer sends email to {address}.', 'There is nothing you need to do.'],
    },
    contactGone: {
      heading: 'Your data was deleted',
      paragraphs: ['{sender} no longer has the address that got this email. There is nothing you need to do.'],
    },
    unsubscribed: {
      heading: 'You are unsubscribed',
      paragraphs: [
        '{sender} will send no more email to {address}.',
        'Email that is already on its way may still arrive.',
      ],
    },
    unsubscribedUnnamed: {
      heading: 'You are unsubscribed',
      paragraphs: ['We have noted your request.', 'Email that is already on its way may still arrive.'],
    },
  },
  confirmation: {
    subject: (audience) => `Confirm your subscription: ${audience}`,
    ask: (audience, sender, press) =>
      `This email address was entered to get ${audience} from ${sender}. ${press} below to confirm.`,
    press: { html: 'Press the button', text: 'Open the link' },
    button: 'Confirm subscription',
    until: 'This link is valid for 14 days.',
    ignore: 'Was it not you? Ignore this email: without a confirmation nothing begins.',
  },
  invitation: {
    subject: (place) => `You are invited to ${place}`,
    ask: (place, press) => `You are invited to work in ${place} on Kurir. ${press} below to accept.`,
    press: { html: 'Press the button', text: 'Open the link' },
    button: 'Accept the invitation',
    until: 'This link works once, for 7 days.',
    ignore: 'Pass it on to nobody. Do you not expect it? Ignore this email.',
  },
  reset: {
    subject: (place) => `Choose a new password for ${place}`,
    ask: (place, press) =>
      `Your administrator has reset your password for ${place}. ${press} below to choose a new one.`,
    press: { html: 'Press the button', text: 'Open the link' },
    button: 'Choose a new password',
    until: 'This link works once, for 24 hours.',
    ignore: 'Do not forward it. If you did not ask for this, contact your administrator.',
  },
  footer: { unsubscribe: 'Unsubscribe' },
};
