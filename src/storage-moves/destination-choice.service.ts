import { Injectable } from '@nestjs/common';
import type { ValidationMessages } from '../core/errors.js';
import { StorageRegistry } from '../git/storage-registry.js';

const NOT_LISTED = 'is not included in the list';
const BLANK = "can't be blank";

/** Where a container shall go, or what is wrong with the wish. */
export interface DestinationChoice {
  destination: string;
  problems: ValidationMessages;
}

/** Decides about the storage that a container moves to. */
@Injectable()
export class DestinationChooser {
  constructor(private readonly storages: StorageRegistry) {}

  /**
   * Takes the wish, or draws by weight when there is none. A draw never gives the source: a move
   * to where it is would leave the container on the storage that is being emptied.
   */
  choose(source: string, wish: string | null | undefined): DestinationChoice {
    const problems: ValidationMessages = {};
    if (!this.storages.has(source)) problems['source_storage_name'] = [NOT_LISTED];
    const destination = wish ?? this.storages.pick([source]);
    if (destination === null) return this.refusal(problems, [BLANK]);
    if (destination.trim() === '') return this.refusal(problems, [BLANK, NOT_LISTED]);
    if (!this.storages.has(destination)) return this.refusal(problems, [NOT_LISTED]);
    return { destination, problems };
  }

  private refusal(problems: ValidationMessages, messages: string[]): DestinationChoice {
    return { destination: '', problems: { ...problems, destination_storage_name: messages } };
  }
}
