import { ApiError, ValidationFailedError } from '../../../core/errors.js';
import { JsonLimitExceededError, parseJsonBody } from '../../../core/http/json-body.js';
import { MAX_ALERT_BYTES } from '../../parsing/alert-json.js';
import type { JsonObject } from '../../parsing/incoming-alert.js';

/**
 * An example of a payload, sent as an object or as JSON text; {} for none. It has the limits of
 * payloads. Throws 400 for text that is no JSON, for what is too big, and for what is no object.
 */
export function readPayloadExample(value: unknown): JsonObject {
  if (value === null || value === undefined || value === '') return {};
  const example = parsed(typeof value === 'string' ? value : JSON.stringify(value));
  if (typeof example !== 'object' || example === null || Array.isArray(example)) {
    throw refused('must be a JSON object');
  }
  return example as JsonObject;
}

function parsed(text: string): unknown {
  if (Buffer.byteLength(text) > MAX_ALERT_BYTES) throw tooBig();
  try {
    return parseJsonBody(text);
  } catch (error) {
    if (error instanceof JsonLimitExceededError) throw tooBig();
    throw error instanceof ApiError ? refused('Invalid JSON string') : error;
  }
}

function tooBig(): ValidationFailedError {
  return refused('payloadExample JSON is too big');
}

function refused(problem: string): ValidationFailedError {
  return new ValidationFailedError({ payload_example: [problem] });
}
