import type { MigrationInterface, QueryRunner } from 'typeorm';

const RENAMED = [
  ['alert_integrations', 'sealed_token', 'encrypted_token'],
  ['error_tracking_settings', 'sealed_token', 'encrypted_token'],
  ['oauth_signing_keys', 'sealed_private_key', 'encrypted_private_key'],
  ['outgoing_mails', 'sealed_content', 'encrypted_content'],
] as const;

/** Names encrypted columns by what they are. */
export class EncryptedColumns1796000300000 implements MigrationInterface {
  name = 'EncryptedColumns1796000300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, before, after] of RENAMED) {
      await queryRunner.query(`ALTER TABLE "${table}" RENAME COLUMN "${before}" TO "${after}"`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, before, after] of RENAMED) {
      await queryRunner.query(`ALTER TABLE "${table}" RENAME COLUMN "${after}" TO "${before}"`);
    }
  }
}
