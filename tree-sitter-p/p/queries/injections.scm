; Comments: editors mark TODO, NOTE and links in them.

((comment) @injection.content
  (#set! injection.language "comment"))
