import type { RecipientTexts } from './texts';

export const english: RecipientTexts = {
  forms: {
    subscribeTo: (audience) => `Subscribe to ${audience}`,
    intro: (sender) => ['Fill in this form to receive emails from ', sender],
    labels: {
      email: 'Email address',
      name: 'Name',
      optional: 'optional',
      trap: 'Leave this field empty',
      button: 'Subscribe',
    },
    consent: (sender) => `I agree to receive emails from ${sender}. I can unsubscribe at any time.`,
    errors: {
      title: 'Please check the form',
      email: 'Enter a valid email address, such as name@example.com.',
      name: 'Enter a name of at most 255 characters.',
      consent: 'Tick the box to agree.',
      redirect: 'This form redirects to a page that is not allowed. Please submit it again without the redirect.',
    },
    thanks: {
      heading: 'Thank you',
      single: 'Your subscription has been received.',
      double: 'One more step: open the email we are sending you and click the button in it to confirm.',
      spam: "Can't find it? Check your spam folder.",
    },
    confirm: {
      heading: 'Confirm your subscription',
      ask: ['Click the button below to receive ', ' at ', '.'],
      button: 'Yes, subscribe me',
    },
    confirmed: {
      heading: 'Your subscription is active',
      text: ['Thank you. You will receive ', ' at ', '.'],
    },
    before: { heading: 'You are already subscribed' },
    expired: {
      heading: 'This link has expired',
      text: 'Confirmation links are valid for 14 days. Fill in the form again to get a new link.',
    },
    notFound: {
      heading: 'Form not found',
      text: 'The link to this form is incomplete or no longer valid.',
    },
    notConfirmable: {
      heading: 'Link not found',
      text: 'This link is incomplete. Please open it again from the email you received.',
    },
    tooMany: {
      heading: 'Too many attempts',
      text: 'This form was submitted too often. Please try again in a minute.',
    },
    tooManyToday: {
      heading: 'Too many attempts',
      text: 'This form was submitted too often from your network today. Please try again tomorrow.',
    },
    unreadable: {
      heading: 'Something went wrong',
      text: 'We could not read your submission. Please go back to the form and try again.',
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
      paragraphs: ['This link is incomplete or no longer valid. Please open it again from the email you received.'],
    },
    hiddenLink: {
      heading: 'Page not found',
      paragraphs: ['This link does not lead to a page. Please use another link in the email you received.'],
    },
    products: {
      heading: 'Email Marketing',
      paragraphs: [
        'The Email Marketing module is not active for your workspace, so API requests are rejected.',
        'Your administrator can turn it on with the command {command}. Then repeat the request.',
      ],
    },
    methodNotAllowed: {
      heading: 'Request not supported',
      paragraphs: ['Please open the link from the email you received.'],
    },
    tooLarge: {
      heading: 'Request too large',
      paragraphs: ['Please open the link from the email you received and try again.'],
    },
    unreadable: {
      heading: 'Something went wrong',
      paragraphs: ['Please open the link from the email you received and try again.'],
    },
    tryAgain: {
      heading: 'Something went wrong',
      paragraphs: ['Your request could not be processed yet. Please try again in a moment.'],
    },
    askToUnsubscribe: {
      heading: 'Unsubscribe?',
      paragraphs: ['Click the button below to stop {sender} from sending email to {address}.'],
    },
    alreadyUnsubscribed: {
      heading: 'You are already unsubscribed',
      paragraphs: ['{sender} no longer sends email to {address}.', "You don't need to do anything."],
    },
    contactGone: {
      heading: 'Your data was deleted',
      paragraphs: ["{sender} no longer has the address that received this email. You don't need to do anything."],
    },
    unsubscribed: {
      heading: 'You are unsubscribed',
      paragraphs: [
        '{sender} will no longer send email to {address}.',
        'Emails that are already on their way may still arrive.',
      ],
    },
    unsubscribedUnnamed: {
      heading: 'You are unsubscribed',
      paragraphs: ['Your request has been received.', 'Emails that are already on their way may still arrive.'],
    },
  },
  confirmation: {
    subject: (audience) => `Confirm your subscription: ${audience}`,
    ask: (audience, sender, press) =>
      `Please confirm that you want to receive ${audience} from ${sender}. ${press} below.`,
    press: { html: 'Click the button', text: 'Open the link' },
    button: 'Confirm subscription',
    until: 'This link is valid for 14 days.',
    ignore: 'If you did not sign up, ignore this email: you will not be subscribed.',
  },
  invitation: {
    subject: (place) => `You are invited to ${place}`,
    ask: (place, press) => `You have been invited to join ${place} on Kurir. ${press} below to accept.`,
    press: { html: 'Click the button', text: 'Open the link' },
    button: 'Accept the invitation',
    until: 'This link can be used once and expires after 7 days.',
    ignore: 'Do not forward this email. If you did not expect this invitation, ignore it.',
  },
  reset: {
    subject: (place) => `Choose a new password for ${place}`,
    ask: (place, press) =>
      `Your administrator has reset your password for ${place}. ${press} below to choose a new one.`,
    press: { html: 'Click the button', text: 'Open the link' },
    button: 'Choose a new password',
    until: 'This link can be used once and expires after 24 hours.',
    ignore: 'Do not forward this email. If you did not ask for this, contact your administrator.',
  },
  footer: { unsubscribe: 'Unsubscribe' },
};
