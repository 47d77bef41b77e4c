CREATE TABLE `watch` (
	`uid` text PRIMARY KEY NOT NULL,
	`due` integer NOT NULL
);
