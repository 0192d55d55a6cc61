import { Injectable } from '@nestjs/common';
import {
  ErrorEventsRepository,
  type EventNeighbours,
  type EventRef,
} from './error-events.repository.js';
import { eventDetails, type EventDetails } from './event-details.js';
import { unpackPayload } from './event-payload.js';
import type { EventsOwner, StoredEvent } from './stored-event.js';

/** Stored event with its details. */
export interface ReadEvent {
  event: StoredEvent;
  details: EventDetails;
}

/** The same among the events of its error. */
export interface PlacedEvent extends ReadEvent {
  neighbours: EventNeighbours;
}

/** Finds stored events and reads them, for who can read the errors of their project. */
@Injectable()
export class EventReading {
  constructor(private readonly events: ErrorEventsRepository) {}

  /** Returns one event of an error. Throws 404 when it does not exist or is no longer stored. */
  async ofError(error: EventsOwner, ref: EventRef): Promise<ReadEvent> {
    return this.read(await this.events.get(error, ref));
  }

  /** The same with what comes before and after it. */
  async placed(error: EventsOwner, ref: EventRef): Promise<PlacedEvent> {
    const event = await this.events.get(error, ref);
    const [read, neighbours] = await Promise.all([
      this.read(event),
      this.events.findNeighbours(error, event.id),
    ]);
    return { ...read, neighbours };
  }

  /** The event with that id, whichever error of the project it is of; 404 when there is none. */
  async ofProject(projectId: number, eventId: string): Promise<ReadEvent> {
    return this.read(await this.events.findInProject(projectId, eventId));
  }

  private async read(event: StoredEvent): Promise<ReadEvent> {
    return { event, details: eventDetails(event, await unpackPayload(event)) };
  }
}
