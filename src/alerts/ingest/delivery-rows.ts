import type { DeliverySource } from '../alert-delivery.entity.js';

/** A delivery that is to be written down. */
export interface NewDelivery {
  integrationId: number;
  via: DeliverySource;
  status: number;
  /** Bytes of the body. */
  size: number;
  error: string | null;
  /** How many equal calls it stands for. */
  calls: number;
  alertIids: readonly number[];
  payload: Buffer | null;
}

/** Longer bodies are not kept. */
export const MAX_KEPT_PAYLOAD = 256 * 1024;

/** Integrations that are gone have no deliveries. */
const INSERT_SQL = `
  INSERT INTO alert_deliveries
    (integration_id, source, status, size, error, calls, alert_iids, payload)
  SELECT d.integration_id, d.source, d.status, d.size, d.error, d.calls, d.alert_iids::bigint[],
    d.payload
  FROM unnest($1::bigint[], $2::text[], $3::smallint[], $4::int[], $5::text[], $6::int[],
      $7::text[], $8::bytea[]) WITH ORDINALITY
    AS d (integration_id, source, status, size, error, calls, alert_iids, payload, position)
  WHERE EXISTS (SELECT FROM alert_integrations i WHERE i.id = d.integration_id)
  ORDER BY d.position`;

/** Writes the deliveries in their order; `run` is a transaction's statement or `Sql.rows`. */
export async function insertDeliveries(
  run: (text: string, values: unknown[]) => Promise<unknown>,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await run(INSERT_SQL, [
    deliveries.map(({ integrationId }) => integrationId),
    deliveries.map(({ via }) => via),
    deliveries.map(({ status }) => status),
    deliveries.map(({ size }) => size),
    deliveries.map(({ error }) => error),
    deliveries.map(({ calls }) => calls),
    deliveries.map(({ alertIids }) => `{${alertIids.join(',')}}`),
    deliveries.map(({ payload }) =>
      payload && payload.length <= MAX_KEPT_PAYLOAD ? payload : null,
    ),
  ]);
}
