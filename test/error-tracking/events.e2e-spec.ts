import { beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { PAYLOAD_ENCODINGS } from '../../src/error-tracking/error-event.entity.js';
import { ERROR_LEVELS } from '../../src/error-tracking/error-values.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeError, makeErrorEvent, type MadeError } from '../support/error-factories.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeGroup, makeMemberOf, makeProject } from '../support/project-factories.js';
import { CART_EVENT, CART_DETAILS } from './cart-event.js';

let app: TestApp;

beforeAll(async () => {
  app = await sharedTestApp();
});

interface Place {
  reporter: MadeActor;
  error: MadeError;
  /** Paths below /api/v4. */
  project: string;
  errors: string;
}

/** A private project with an error and a reporter. */
async function makePlace(visibility: 'private' | 'public' = 'private'): Promise<Place> {
  const group = await makeGroup(app, { visibility });
  const project = await makeProject(app, { namespaceId: group.id, visibility });
  const reporter = await makeMemberOf(app, project, 'reporter');
  const error = await makeError(app, project);
  const base = `/projects/${project.id}`;
  return { reporter, error, project: base, errors: `${base}/error_tracking/errors/${error.id}` };
}

const AT = { occurredAt: new Date('2026-03-01T10:00:00.123Z') };
const RECEIVED = { receivedAt: new Date('2026-03-01T10:00:01.5Z') };

describe('GET /projects/:id/error_tracking/errors/:error_id/events', () => {
  it('lists the stored events, those that came last first, in pages', async () => {
    const { reporter, error, errors } = await makePlace();
    const oldest = await makeErrorEvent(app, error, { ...AT, ...RECEIVED });
    const newest = await makeErrorEvent(app, error, {
      sent: CART_EVENT,
      ...AT,
      ...RECEIVED,
      level: ERROR_LEVELS.indexOf('fatal'),
      environment: 'staging',
      release: 'shop@1.4.0',
      userLabel: 'maria@example.com',
    });
    const response = await reporter.api.get(`${errors}/events?per_page=1`);
    expect([response.status, response.body]).toEqual([
      200,
      [
        {
          event_id: newest.eventId,
          error_id: error.id,
          title: 'TypeError: x is undefined',
          date: '2026-03-01T10:00:00.123Z',
          date_received: '2026-03-01T10:00:01.500Z',
          level: 'fatal',
          environment: 'staging',
          release: 'shop@1.4.0',
          user: 'maria@example.com',
        },
      ],
    ]);
    expect(response.headers['x-total']).toBe('2');
    const second = await reporter.api.get(`${errors}/events?per_page=1&page=2`);
    expect(second.body).toEqual([
      expect.objectContaining({ event_id: oldest.eventId, user: null, release: null }),
    ]);
  });

  it('shows members below reporter and strangers nothing, of public projects, too', async () => {
    const { error, errors } = await makePlace('public');
    await makeErrorEvent(app, error);
    const guest = await makeMemberOf(app, { id: error.projectId }, 'guest');
    const stranger = await makeActor(app);
    for (const path of ['/events', '/events/latest', '/events/latest/raw', '/stack_trace']) {
      const statuses = await Promise.all(
        [guest, stranger].map(async ({ api }) => (await api.get(`${errors}${path}`)).status),
      );
      expect([path, ...statuses]).toEqual([path, 403, 403]);
    }
  });

  it('finds no error of another project', async () => {
    const { reporter, project } = await makePlace();
    const other = await makePlace();
    await makeErrorEvent(app, other.error);
    const path = `${project}/error_tracking/errors/${other.error.id}`;
    for (const rest of ['/events', '/events/latest', '/events/latest/raw', '/stack_trace']) {
      const { status, body } = await reporter.api.get(`${path}${rest}`);
      expect([status, body]).toEqual([404, { message: '404 Error Not Found' }]);
    }
  });
});

describe('GET /projects/:id/error_tracking/errors/:error_id/events/:event_id', () => {
  it('shows all that is known of an event', async () => {
    const { reporter, error, errors } = await makePlace();
    const older = await makeErrorEvent(app, error);
    const { eventId } = await makeErrorEvent(app, error, {
      sent: CART_EVENT,
      ...AT,
      ...RECEIVED,
      release: 'shop@1.4.0',
      clientAddress: '192.0.2.7',
    });
    const newer = await makeErrorEvent(app, error);
    const { status, body } = await reporter.api.get(`${errors}/events/${eventId}`);
    expect([status, body]).toEqual([
      200,
      {
        event_id: eventId,
        error_id: error.id,
        title: 'TypeError: x is undefined',
        date: '2026-03-01T10:00:00.123Z',
        date_received: '2026-03-01T10:00:01.500Z',
        level: 'error',
        environment: 'production',
        release: 'shop@1.4.0',
        user: null,
        ...CART_DETAILS,
        previous_event_id: older.eventId,
        next_event_id: newer.eventId,
      },
    ]);
  });

  it('finds the newest, the oldest, and ids in any spelling of SDKs', async () => {
    const { reporter, error, errors } = await makePlace();
    const events = [];
    for (let made = 0; made < 3; made += 1) events.push(await makeErrorEvent(app, error));
    const [oldest, middle, newest] = events.map(({ eventId }) => eventId);
    const dashed = `${middle}`.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toUpperCase();
    const refs = ['oldest', 'latest', middle, dashed];
    const found = await Promise.all(
      refs.map(async (ref) => {
        const { body } = await reporter.api.get(`${errors}/events/${ref}`);
        return (body as { event_id: string }).event_id;
      }),
    );
    expect(found).toEqual([oldest, newest, middle, middle]);
  });

  it('answers 404 for ids of other errors, and for what is no id', async () => {
    const { reporter, error, errors, project } = await makePlace();
    const sibling = await makeError(app, { id: error.projectId });
    const { eventId } = await makeErrorEvent(app, sibling);
    const notFound = [404, { message: '404 Event Not Found' }];
    for (const ref of [eventId, 'latest', 'newest', '7', "'", 'f'.repeat(32)]) {
      const { status, body } = await reporter.api.get(`${errors}/events/${ref}`);
      expect([status, body]).toEqual(notFound);
    }
    for (const ref of ['latest', 'f'.repeat(32)]) {
      const { status, body } = await reporter.api.get(`${project}/error_tracking/events/${ref}`);
      expect([status, body]).toEqual(notFound);
    }
  });

  it('reads what came gzipped in an envelope, its event after other items', async () => {
    const { reporter, error, errors } = await makePlace();
    const lines = [
      '{"sent_at":"2026-03-01T10:00:00Z"}',
      '{"type":"client_report","length":6}',
      '{"a\n1}',
      '{"type":"event"}',
      '{"message":"Grüße","platform":"ruby"}',
      '',
    ];
    const packed = {
      payload: gzipSync(lines.join('\n')),
      payloadEncoding: PAYLOAD_ENCODINGS.indexOf('gzip'),
      isEnvelope: true,
    };
    await makeErrorEvent(app, error, packed);
    const { body } = await reporter.api.get(`${errors}/events/latest`);
    expect(body).toMatchObject({ message: 'Grüße', platform: 'ruby', damaged: false });
  });

  it('shows the attributes next to an unreadable payload', async () => {
    const { reporter, error, errors } = await makePlace();
    const { eventId } = await makeErrorEvent(app, error, { payload: Buffer.from('garbage') });
    const shown = await reporter.api.get(`${errors}/events/${eventId}`);
    expect([shown.status, shown.body]).toEqual([
      200,
      expect.objectContaining({ event_id: eventId, damaged: true, exceptions: [] }),
    ]);
    const raw = await reporter.api.get(`${errors}/events/${eventId}/raw`);
    expect([raw.status, raw.body]).toEqual([404, { message: '404 Event Payload Not Found' }]);
  });
});

describe('GET /projects/:id/error_tracking/errors/:error_id/events/:event_id/raw', () => {
  it('sends the JSON as it is stored, to be saved and never shown', async () => {
    const { reporter, error, errors } = await makePlace();
    const { eventId } = await makeErrorEvent(app, error, { sent: CART_EVENT });
    const response = await reporter.api.get(`${errors}/events/latest/raw`);
    expect([response.status, response.body]).toEqual([200, { event_id: eventId, ...CART_EVENT }]);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['content-disposition']).toBe(`attachment; filename="${eventId}.json"`);
  });
});

describe('GET /projects/:id/error_tracking/errors/:error_id/stack_trace', () => {
  it('shows the stack of the newest event in the form of version 4', async () => {
    const { reporter, error, errors } = await makePlace();
    await makeErrorEvent(app, error);
    const { eventId } = await makeErrorEvent(app, error, { sent: CART_EVENT, ...RECEIVED });
    const { status, body } = await reporter.api.get(`${errors}/stack_trace`);
    expect([status, body]).toEqual([
      200,
      {
        error_id: error.id,
        event_id: eventId,
        date_received: '2026-03-01T10:00:01.500Z',
        stack_trace_entries: [
          {
            lineNo: 21,
            colNo: null,
            context: [],
            filename: 'router.js',
            abs_path: null,
            function: 'handle',
          },
          {
            lineNo: 17,
            colNo: 9,
            context: [
              [16, 'let sum = 0;'],
              [17, 'sum += cart.items.total;'],
              [19, 'return sum;'],
            ],
            filename: 'cart.js',
            abs_path: '/srv/shop/cart.js',
            function: 'sumOf',
          },
        ],
      },
    ]);
  });
});

describe('GET /projects/:id/error_tracking/events/:event_id', () => {
  it('finds an event by the id that its SDK showed, whichever error it is of', async () => {
    const { reporter, error, project } = await makePlace();
    const other = await makeError(app, { id: error.projectId });
    const { eventId } = await makeErrorEvent(app, other, { sent: { message: 'Hello' } });
    const { status, body } = await reporter.api.get(`${project}/error_tracking/events/${eventId}`);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ event_id: eventId, error_id: other.id, message: 'Hello' }),
    ]);
    const stranger = await makePlace();
    const elsewhere = `${stranger.project}/error_tracking/events/${eventId}`;
    expect((await stranger.reporter.api.get(elsewhere)).status).toBe(404);
  });
});
