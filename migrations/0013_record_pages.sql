CREATE TABLE "record_page" (
	"book_id" integer NOT NULL,
	"page" integer NOT NULL,
	"records" text[] NOT NULL,
	CONSTRAINT "record_page_book_id_page_pk" PRIMARY KEY("book_id","page")
);
--> statement-breakpoint
-- Nothing is planned by what records say, and looking at samples of them takes longer than at all else.
ALTER TABLE "record_page" ALTER COLUMN "records" SET STATISTICS 0;--> statement-breakpoint
DROP INDEX "latest_offer_book";--> statement-breakpoint
ALTER TABLE "latest_offer" ADD COLUMN "page" integer;--> statement-breakpoint
ALTER TABLE "latest_offer" ADD COLUMN "place" smallint;--> statement-breakpoint
-- The records that are there move to pages of 32, as landings make them.
UPDATE "latest_offer" o SET "page" = n."ordinal" / 32, "place" = n."ordinal" % 32 + 1
FROM (
	SELECT "listing_id", "scope_id", "from_complete_book",
		row_number() OVER (PARTITION BY "book_id" ORDER BY "listing_id") - 1 AS "ordinal"
	FROM "latest_offer"
) n
WHERE o."listing_id" = n."listing_id" AND o."scope_id" = n."scope_id"
	AND o."from_complete_book" = n."from_complete_book";--> statement-breakpoint
INSERT INTO "record_page" ("book_id", "page", "records")
SELECT "book_id", "page", array_agg("raw" ORDER BY "place") FROM "latest_offer" GROUP BY "book_id", "page";--> statement-breakpoint
ALTER TABLE "latest_offer" ALTER COLUMN "page" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "latest_offer" ALTER COLUMN "place" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "latest_offer_record" ON "latest_offer" USING btree ("book_id","page");--> statement-breakpoint
ALTER TABLE "latest_offer" DROP COLUMN "raw";
