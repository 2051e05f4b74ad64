ALTER TABLE "rental" RENAME COLUMN "wish" TO "request";--> statement-breakpoint
ALTER TABLE "rental" RENAME COLUMN "sealed_wish" TO "sealed_request";
