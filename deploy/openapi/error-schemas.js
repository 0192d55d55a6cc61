/** Bodies of refusals; the names are ours, the forms are those of the API doc. */
export const ERROR_SCHEMAS = {
  MessageError: {
    description: 'Error with one message.',
    type: 'object',
    properties: { message: { type: 'string', description: 'Status and reason.' } },
    required: ['message'],
  },
  MessagesError: {
    description:
      'An error with a list of messages, such as a duplicate merge request for the same branches.',
    type: 'object',
    properties: {
      message: {
        type: 'array',
        items: { type: 'string' },
        description: 'Human-readable messages.',
      },
    },
    required: ['message'],
  },
  PlainError: {
    description: 'Error with the message in `error`.',
    type: 'object',
    properties: { error: { type: 'string', description: 'Status and reason.' } },
    required: ['error'],
  },
  ParametersError: {
    description: 'Missing or invalid parameters.',
    type: 'object',
    properties: {
      message: { type: 'string', description: 'First missing attribute, or all problems.' },
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
    description: 'Error with a nested message.',
    type: 'object',
    properties: {
      message: {
        type: 'object',
        description: 'Message.',
        properties: { error: { type: 'string', description: 'Human-readable message.' } },
        required: ['error'],
      },
    },
    required: ['message'],
  },
  CaptchaError: {
    description:
      'Suspected spam. Solve the CAPTCHA of this site key and repeat the request with the ' +
      'headers `X-Svc-Captcha-Response` and `X-Svc-Spam-Log-Id`.',
    type: 'object',
    properties: {
      needs_captcha_response: { type: 'boolean', description: 'Always true.' },
      spam_log_id: { type: 'integer', description: 'Value for `X-Svc-Spam-Log-Id`.' },
      captcha_site_key: { type: 'string', description: 'Key for the CAPTCHA of the provider.' },
      message: {
        type: 'object',
        description: 'Message.',
        properties: { error: { type: 'string', description: 'Human-readable message.' } },
        required: ['error'],
      },
    },
    required: ['needs_captcha_response', 'spam_log_id', 'captcha_site_key', 'message'],
  },
  TokenError: {
    description: 'Invalid or insufficient token (RFC 6750, section 3.1).',
    type: 'object',
    properties: {
      error: { type: 'string', description: 'Error code.' },
      error_description: { type: 'string', description: 'Human-readable message.' },
      scope: { type: 'string', description: 'Scopes, one of which is required.' },
    },
    required: ['error', 'error_description'],
  },
  OAuthError: {
    description: 'Error of an OAuth endpoint (RFC 6749, section 5.2).',
    type: 'object',
    properties: {
      error: { type: 'string', description: 'Error code.' },
      error_description: { type: 'string', description: 'Human-readable message.' },
      error_detail: {
        type: 'string',
        description: 'Detailed reason; only for authenticated clients.',
      },
    },
    required: ['error', 'error_description'],
  },
};
