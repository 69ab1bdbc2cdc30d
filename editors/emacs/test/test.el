;;; test.el --- checks of lockstep.el in a real Emacs  -*- lexical-binding: t -*-

;; Run by run.mjs, in batch mode. Each check either needs the server or does not; against a silent server the former must fail.

(require 'lockstep)

(defvar test-folder (file-name-as-directory (getenv "LOCKSTEP_TEST")))
(defvar test-limit (if (equal (getenv "LOCKSTEP_KIND") "silent") 2 30) "For how many seconds something is waited for.")
(defvar test-results nil)
(defvar test-messages nil "What the server has had Emacs say, the newest first.")

(cl-defmethod eglot-handle-notification :before (_server (_method (eql window/showMessage)) &key message &allow-other-keys)
  "Keeps MESSAGE for the checks."
  (push message test-messages))

(defun test-wait (what condition)
  "Waits until CONDITION gives something, and gives that; WHAT is for the error."
  (let ((end (+ (float-time) test-limit)) found)
    (while (and (not (setq found (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or found (error "There is no %s" what))))

(defun test-equal (wanted found)
  (unless (equal wanted found)
    (error "Wanted %S, found %S" wanted found)))

(defmacro check (name server &rest body)
  "Notes whether BODY ends without an error; SERVER says whether it needs one."
  (declare (indent 2))
  `(let ((detail nil))
     (condition-case failure
         (progn ,@body)
       (error (setq detail (error-message-string failure))))
     (push (list :name ,name :server ,(if (eq server 'server) t :false) :ok (if detail :false t) :detail (or detail "")) test-results)))

(defun test-open (path)
  "Opens PATH with a server that manages it."
  (let ((buffer (find-file-noselect (expand-file-name path test-folder))))
    (set-buffer buffer)
    (unless (eglot-managed-p)
      ;; In batch mode no command loop runs what `eglot-ensure' leaves to it.
      (let ((eglot-sync-connect 30))
        (apply #'eglot (eglot--guess-contact))))
    (unless (eglot-managed-p)
      (error "No server manages %s" path))
    buffer))

(defun test-codes ()
  "The codes of the findings of this buffer."
  (flymake-start)
  (delq nil (mapcar (lambda (finding)
                      (and (string-match "LS[0-9]\\{4\\}" (flymake-diagnostic-text finding)) (match-string 0 (flymake-diagnostic-text finding))))
                    (flymake-diagnostics))))

(defun test-said (pattern)
  (cl-find-if (lambda (message) (string-match-p pattern message)) test-messages))

(defun test-lens (title &optional place)
  "The lens of this buffer with TITLE, at PLACE or anywhere."
  (cl-some (lambda (overlay)
             (and (or (not place) (= place (overlay-start overlay)))
                  (cl-find-if (lambda (lens) (string-match-p title (plist-get lens :title))) (overlay-get overlay 'lockstep-lens))))
           lockstep--overlays))

(check "files are told by what is in them" client
  (with-current-buffer (find-file-noselect (expand-file-name "lease/PSrc/Store.p" test-folder)) (test-equal 'p-mode major-mode))
  (with-current-buffer (find-file-noselect (expand-file-name "ping.icet" test-folder)) (test-equal 'icet-mode major-mode))
  (with-current-buffer (find-file-noselect (expand-file-name "pascal/program.p" test-folder))
    (when (derived-mode-p 'lockstep-mode) (error "Pascal is taken for P"))))

(check "words, names and comments have colours" client
  (with-temp-buffer
    (insert "machine Server { } // machine\n")
    (p-mode)
    (font-lock-ensure)
    (test-equal 'font-lock-keyword-face (get-text-property 1 'face))
    (test-equal 'font-lock-function-name-face (get-text-property 10 'face))
    (test-equal 'font-lock-comment-face (get-text-property 25 'face))))

(check "lines are indented by braces, and commented out" client
  (with-temp-buffer
    (insert "machine M {\nstart state S {\nentry {\nx = 1;\n}\n}\n}\n")
    (p-mode)
    (indent-region (point-min) (point-max))
    (test-equal "machine M {\n  start state S {\n    entry {\n      x = 1;\n    }\n  }\n}\n" (buffer-string))
    (comment-region (point-min) (+ 1 (line-end-position -5)))
    (test-equal "// machine M {" (buffer-substring (point-min) (progn (goto-char (point-min)) (line-end-position))))))

(check "the project of a file is the folder of its project file" client
  (with-current-buffer (find-file-noselect (expand-file-name "lease/PSrc/Store.p" test-folder))
    (test-equal (expand-file-name "lease/" test-folder) (expand-file-name (project-root (project-current))))))

(check "findings are shown" server
  (test-open "broken/PSrc/Client.p")
  (test-wait "finding" (lambda () (member "LS0305" (test-codes)))))

(check "a code is explained in a buffer" server
  (goto-char (point-min))
  (search-forward "given.mayCrash")
  (test-equal "LS0305" (test-wait "code" #'lockstep--code-at-point))
  (lockstep-explain (lockstep--code-at-point))
  (let ((page (test-wait "page" (lambda () (cl-find-if (lambda (buffer) (string-match-p "LS0305\\.md" (buffer-name buffer))) (buffer-list))))))
    (with-current-buffer page (test-equal "# LS0305" (buffer-substring 1 9)))))

(check "a finding goes when its cause goes" server
  (test-open "broken/PSrc/Client.p")
  (test-wait "finding" (lambda () (member "LS0305" (test-codes))))
  (goto-char (point-min))
  (search-forward "given.mayCrash")
  (replace-match "given.rounds")
  (eglot--signal-textDocument/didChange)
  (test-wait "end of it" (lambda () (not (member "LS0305" (test-codes))))))

(check "a definition is found in another file" server
  (test-open "lease/PSrc/Client.p")
  (goto-char (point-min))
  (search-forward "eLeaseRequest")
  (backward-char 3)
  (let ((found (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
    (unless found (error "There is no definition"))
    (unless (string-suffix-p "PSrc/Protocol.p" (xref-location-group (xref-item-location found)))
      (error "It is in %s" (xref-location-group (xref-item-location found))))))

(check "a buffer is laid out" server
  (test-open "lease/PSrc/Store.p")
  (let ((before (buffer-string)))
    (goto-char (point-min))
    (search-forward "machine Store {")
    (replace-match "machine   Store   {")
    (eglot-format-buffer)
    (test-equal before (buffer-string))
    (set-buffer-modified-p nil)))

(check "lenses stand above tests" server
  (test-open "lease/PTst/Tests.p")
  (test-wait "lens" (lambda () (test-lens "^Explore$")))
  (goto-char (point-min))
  (search-forward "tcOneClient")
  (let ((overlay (cl-find-if (lambda (overlay) (= (overlay-start overlay) (line-beginning-position))) lockstep--overlays)))
    (unless (string-match-p "Run | Explore" (overlay-get overlay 'before-string))
      (error "The lens says %s" (overlay-get overlay 'before-string)))))

(check "a lens runs its test, and says what came of it" server
  (test-open "lease/PTst/Tests.p")
  (goto-char (point-min))
  (search-forward "tcOneClient")
  (funcall (lockstep--press (test-wait "lens" (lambda () (test-lens "^Run$" (line-beginning-position))))))
  (test-wait "message" (lambda () (test-said "^tcOneClient: sampled")))
  (test-wait "lens that says so" (lambda () (test-lens "sampled" (line-beginning-position)))))

(check "a bug is a finding with a trace" server
  (test-open "buggy/PTst/Tests.p")
  (let ((test (cdr (assoc "tcCrashingClients" (lockstep--tests)))))
    (lockstep-run-test test)
    (test-wait "message" (lambda () (test-said "tcCrashingClients: refuted")))
    (lockstep-show-trace test)
    (let ((page (test-wait "trace" (lambda () (cl-find-if (lambda (buffer) (string-match-p "tcCrashingClients" (buffer-name buffer))) (buffer-list))))))
      (with-current-buffer page
        (goto-char (point-min))
        (unless (search-forward "a write was accepted after a newer one" nil t) (error "The trace says %s" (buffer-string))))))
  (test-open "buggy/PSpec/Safety.p")
  (test-wait "finding" (lambda () (member "LS3001" (test-codes)))))

(check "completion has no marks of snippets, which Emacs does not know by itself" server
  (test-open "lease/PSrc/Modules.p")
  (goto-char (point-max))
  (insert "\nmachin")
  (eglot--signal-textDocument/didChange)
  (let* ((found (eglot-completion-at-point))
         (words (all-completions "machin" (nth 2 found))))
    (unless (member "machine" words) (error "Completions: %S" words))
    (funcall (plist-get (nthcdr 3 found) :exit-function) (car (member "machine" words)) 'finished)
    (unless (string-match-p "^machine Name {\n[^$]*start state Init {[^$]*}\\'" (string-trim (buffer-substring (nth 0 found) (point-max))))
      (error "The text is %s" (buffer-substring (nth 0 found) (point-max)))))
  (set-buffer-modified-p nil))

(with-temp-file (expand-file-name "result.json" test-folder)
  (insert (json-serialize (list :version emacs-version :checks (vconcat (reverse test-results))) :false-object :false)))
;;; test.el ends here
