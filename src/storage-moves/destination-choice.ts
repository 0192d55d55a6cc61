import type { ValidationMessages } from '../core/errors.js';
import type { StorageRegistry } from '../git/storage-registry.js';

const NOT_LISTED = 'is not included in the list';
const BLANK = "can't be blank";

/** The destination of a move, empty when there is none, and what is wrong with the request. */
export interface DestinationChoice {
  destination: string;
  problems: ValidationMessages;
}

/**
 * Returns the requested destination, or one drawn by weight when there is no request. A draw never
 * gives the source: a move to where it is would leave the container on a storage that is being
 * drained.
 */
export function chooseDestination(
  storages: StorageRegistry,
  source: string,
  requested: string | null | undefined,
): DestinationChoice {
  const problems: ValidationMessages = {};
  if (!storages.has(source)) problems['source_storage_name'] = [NOT_LISTED];
  const destination = requested ?? storages.pick([source]);
  if (destination === null) return refusal(problems, [BLANK]);
  if (destination.trim() === '') return refusal(problems, [BLANK, NOT_LISTED]);
  if (!storages.has(destination)) return refusal(problems, [NOT_LISTED]);
  return { destination, problems };
}

function refusal(problems: ValidationMessages, messages: string[]): DestinationChoice {
  return { destination: '', problems: { ...problems, destination_storage_name: messages } };
}
