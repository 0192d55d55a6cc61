/** Bodies of refusals; the names are ours, the forms are those of the API doc. */
export const ERROR_SCHEMAS = {
  MessageError: {
    description: 'A refusal with one text.',
    type: 'object',
    properties: { message: { type: 'string', description: 'Status and reason.' } },
    required: ['message'],
  },
  MessagesError: {
    description:
      'An error with a list of messages, such as a duplicate merge request for the same branches.',
    type: 'object',
    properties: {
      message: { type: 'array', items: { type: 'string' }, description: 'Reasons for people.' },
    },
    required: ['message'],
  },
  PlainError: {
    description: 'A refusal whose text stands under `error`.',
    type: 'object',
    properties: { error: { type: 'string', description: 'Status and reason.' } },
    required: ['error'],
  },
  ParametersError: {
    description: 'Parameters that are missing or break their declaration.',
    type: 'object',
    properties: {
      message: { type: 'string', description: 'The first missing attribute, or all problems.' },
      error: { type: 'string', description: 'All problems in the order of declaration.' },
    },
    required: ['message', 'error'],
  },
  ValidationError: {
    description: 'Messages per attribute; an embedded entity nests an object of the same form.',
    type: 'object',
    properties: {
      message: {
        type: 'object',
        description: 'Attributes with their messages.',
        additionalProperties: {
          anyOf: [
            { type: 'array', items: { type: 'string' } },
            { type: 'string' },
            { type: 'object' },
          ],
        },
      },
    },
    required: ['message'],
  },
  NestedError: {
    description: 'A refusal whose text stands below `message`.',
    type: 'object',
    properties: {
      message: {
        type: 'object',
        description: 'The text.',
        properties: { error: { type: 'string', description: 'Reason for people.' } },
        required: ['error'],
      },
    },
    required: ['message'],
  },
  CaptchaError: {
    description:
      'Taken for spam. Solve the CAPTCHA of this site key and send the same again with the ' +
      'headers `X-Svc-Captcha-Response` and `X-Svc-Spam-Log-Id`.',
    type: 'object',
    properties: {
      needs_captcha_response: { type: 'boolean', description: 'Always true.' },
      spam_log_id: { type: 'integer', description: 'Value for `X-Svc-Spam-Log-Id`.' },
      captcha_site_key: { type: 'string', description: 'Key for the CAPTCHA of the provider.' },
      message: {
        type: 'object',
        description: 'The text.',
        properties: { error: { type: 'string', description: 'Reason for people.' } },
        required: ['error'],
      },
    },
    required: ['needs_captcha_response', 'spam_log_id', 'captcha_site_key', 'message'],
  },
  TokenError: {
    description: 'A token that is not good for the request (RFC 6750, section 3.1).',
    type: 'object',
    properties: {
      error: { type: 'string', description: 'Code of the refusal.' },
      error_description: { type: 'string', description: 'Reason for people.' },
      scope: { type: 'string', description: 'Scopes of which one is needed.' },
    },
    required: ['error', 'error_description'],
  },
  OAuthError: {
    description: 'A refusal of an OAuth endpoint (RFC 6749, section 5.2).',
    type: 'object',
    properties: {
      error: { type: 'string', description: 'Code of the refusal.' },
      error_description: { type: 'string', description: 'Reason for people.' },
      error_detail: {
        type: 'string',
        description: 'Which of several reasons it is; only for a client that has shown who it is.',
      },
    },
    required: ['error', 'error_description'],
  },
};
