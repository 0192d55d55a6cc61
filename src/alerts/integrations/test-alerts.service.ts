import { Injectable, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { BadRequestError, ForbiddenError } from '../../core/errors.js';
import { assertTakesChanges } from '../../workspace/projects/project-attributes.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { AlertDeliveriesRepository, type DeliverySource } from '../alert-deliveries.repository.js';
import { AlertIngest } from '../ingest/alert-ingest.service.js';
import type { IntegrationRow } from '../alert-integrations.repository.js';
import { SECRET_PARAMS } from '../../core/pagination/paging.decorator.js';
import type { AlertSource, TouchedAlert } from '../ingest/alert-source.js';
import type { JsonObject } from '../parsing/incoming-alert.js';

/** Sends payloads as if the tool had: they make, count and resolve real alerts. */
@Injectable()
export class TestAlerts {
  constructor(
    private readonly deliveries: AlertDeliveriesRepository,
    private readonly ingest: AlertIngest,
  ) {}

  /**
   * Throws 403 for an inactive integration and in an archived project, 400 for external paging,
   * and what the webhook refuses: 400, 422, 503.
   */
  send(
    project: Pick<ProjectRow, 'archived'>,
    integration: IntegrationRow,
    body: Buffer,
  ): Promise<TouchedAlert[]> {
    return this.deliver(project, integration, { body, via: 'test' });
  }

  /** Throws 404, 400 when what was sent was not kept, and as `send`. */
  async replay(
    project: Pick<ProjectRow, 'archived'>,
    integration: IntegrationRow,
    deliveryId: number,
  ): Promise<TouchedAlert[]> {
    const { payload } = await this.deliveries.get(integration.id, deliveryId);
    if (payload === null) throw new BadRequestError('the payload of the delivery was not kept');
    return this.deliver(project, integration, { body: payload, via: 'replay' });
  }

  private async deliver(
    project: Pick<ProjectRow, 'archived'>,
    integration: IntegrationRow,
    { body, via }: { body: Buffer; via: DeliverySource },
  ): Promise<TouchedAlert[]> {
    assertTakesChanges(project);
    const source = sourceOf(integration);
    if (source === null) throw new BadRequestError('external paging integrations take no alerts');
    if (!integration.active) throw new ForbiddenError();
    return this.ingest.receive(source, body, via);
  }
}

/** Returns the integration as ingest reads it; null for external paging. */
function sourceOf(integration: IntegrationRow): AlertSource | null {
  const { id, projectId, name, type } = integration;
  if (type === 'external_paging') return null;
  const { payloadAttributeMappings: mappings, resolvedWhen } = integration;
  return { integrationId: id, projectId, name, type, mappings, resolvedWhen };
}

/**
 * Returns the payload of a test alert's request: `send(@TestPayload() payload: Buffer)`. Leaves
 * credentials among the parameters out, as payloads are stored and shown.
 */
export const TestPayload = createParamDecorator((_: unknown, context: ExecutionContext): Buffer =>
  testPayload(context.switchToHttp().getRequest<Request>().body),
);

/** Bytes of the payload in a parsed body; none for a request without one, which no alert is. */
export function testPayload(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (!isObject(body)) return bytesOf({ payload: body });
  const members = Object.entries(body).filter(([name]) => !SECRET_PARAMS.has(name));
  const [[name, value] = [], ...others] = members;
  const isWrapped = name === 'payload' && others.length === 0;
  if (isWrapped && typeof value === 'string') return payloadOfText(value);
  return bytesOf(isWrapped && isObject(value) ? value : Object.fromEntries(members));
}

/** Wraps typed JSON in the same way; invalid JSON is kept unchanged for the parser to reject. */
export function payloadOfText(text: string): Buffer {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? Buffer.from(text) : bytesOf({ payload: value });
  } catch {
    return Buffer.from(text);
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function bytesOf(payload: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(payload));
}
