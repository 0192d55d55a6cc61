import { Injectable } from '@nestjs/common';
import {
  ErrorEventsRepository,
  type EventNeighbours,
  type EventRef,
} from './error-events.repository.js';
import { eventDetails, type EventDetails } from './event-details.js';
import { unpackPayload, type EventsOwner, type StoredEvent } from './stored-event.js';

/** Stored event with its details. */
interface ReadEvent {
  event: StoredEvent;
  details: EventDetails;
}

/** The same among the events of its error. */
export interface EventWithNeighbours extends ReadEvent {
  neighbours: EventNeighbours;
}

/** Finds and reads stored events. Callers check that the viewer can read errors. */
@Injectable()
export class EventReading {
  constructor(private readonly events: ErrorEventsRepository) {}

  /** Returns one event of an error. Throws 404 when it does not exist or is no longer stored. */
  async ofError(error: EventsOwner, ref: EventRef): Promise<ReadEvent> {
    return this.read(await this.events.get(error, ref));
  }

  /** As `ofError`, with the IDs of the previous and the next event. */
  async withNeighbours(error: EventsOwner, ref: EventRef): Promise<EventWithNeighbours> {
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
