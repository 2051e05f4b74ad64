CREATE INDEX "billing_version_begins" ON "billing_version" USING btree (coalesce("item_start_at", "start_at"));--> statement-breakpoint
CREATE INDEX "billing_version_past" ON "billing_version" USING btree ("seen_to") WHERE "billing_version"."seen_to" < 'infinity';--> statement-breakpoint
-- The index has statistics from now on, not from the next change of its table.
ANALYZE "billing_version";
