import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';

const { PORT, DATABASE_URL } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

/**
 * Cost of storing envelopes without a framework: node:http, decompressed once for reading, and one
 * row per request with the bytes as received.
 */
createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (request.method !== 'POST') return response.end();
    gunzipSync(body);
    const values = [body];
    pool.query({ name: 'put', text: 'INSERT INTO bare_envelopes (body) VALUES ($1)', values }).then(
      () => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
      () => response.writeHead(500).end(),
    );
  });
}).listen(Number(PORT), '127.0.0.1');
