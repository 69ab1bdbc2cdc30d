;;; lockstep.el --- P and IceT with the Lockstep language server  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "29.1"))
;; Keywords: languages, tools

;;; Commentary:

;; Modes for P and IceT, the language server of Lockstep through eglot, lenses above tests, and commands that run them.
;; Nothing about the languages is decided here but colours and the first guess at indentation: the rest is the server's business.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'project)
(require 'xref)

(defgroup lockstep nil
  "P and IceT with the Lockstep language server."
  :group 'languages
  :prefix "lockstep-")

(defcustom lockstep-command '("lockstep" "lsp")
  "The command line of the server."
  :type '(repeat string))

(defcustom lockstep-indent 2
  "How many columns a level is indented by while typing.
The server's formatter has the last word; see `lockstep.toml'."
  :type 'integer
  :safe #'integerp)

(defcustom lockstep-lenses t
  "Whether what is known about tests, and what can be done with them, is shown above them."
  :type 'boolean)

;;;; The modes

(defvar lockstep-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?\" "\"" table)
    table)
  "Comments like those of C, and texts in double quotes.")

(defconst lockstep--p-words
  '("announce" "any" "as" "assert" "assume" "axiom" "bool" "break" "case" "choose" "cold" "compose" "continue" "creates" "data"
    "default" "defer" "do" "else" "entry" "enum" "event" "eventset" "exit" "float" "for" "foreach" "format" "fun" "goto" "halt"
    "hidee" "hidei" "hot" "if" "ignore" "implementation" "in" "init-condition" "int" "interface" "invariant" "is" "keys" "lemma"
    "machine" "main" "map" "module" "new" "null" "observes" "on" "param" "print" "proof" "pure" "raise" "receive" "receives"
    "refines" "rename" "return" "returns" "scenario" "send" "sends" "seq" "set" "sizeof" "spec" "start" "state" "string" "test"
    "this" "to" "type" "union" "values" "var" "while" "with" "Lemma" "Proof" "Theorem"))

(defconst lockstep--icet-words
  '("any" "as" "assert" "assume" "atomic" "bool" "break" "case" "choose" "const" "default" "else" "ensures" "enum" "exists" "fail"
    "for" "forall" "foreach" "from" "ghost" "havoc" "if" "in" "int" "invariant" "map" "match" "message" "or" "parallel" "pick" "pid"
    "process" "recv" "repeat" "rounds" "send" "sequential" "set" "skip" "subset" "timeout" "to" "type" "var" "while"))

(defun lockstep--colours (words declarers)
  "Rules for colours: WORDS of the language, and names behind DECLARERS."
  `((,(regexp-opt words 'symbols) . font-lock-keyword-face)
    (,(concat (regexp-opt declarers 'symbols) "\\s-+\\(\\(?:\\sw\\|\\s_\\)+\\)") 2 font-lock-function-name-face)
    ("\\_<\\(true\\|false\\)\\_>" . font-lock-constant-face)
    ("\\_<[0-9]+\\_>" . font-lock-constant-face)))

(defun lockstep-indent-line ()
  "Indents the line by the braces it is in."
  (interactive)
  (let* ((depth (save-excursion (back-to-indentation) (lockstep--depth)))
         (behind (- (current-column) (current-indentation))))
    (indent-line-to (* lockstep-indent depth))
    (when (> behind 0)
      (forward-char behind))))

(defun lockstep--depth ()
  "How many brackets are open before the first word of this line, those that it closes itself not counted."
  (let ((depth (car (syntax-ppss))))
    (max 0 (if (looking-at-p "[]})]") (1- depth) depth))))

(define-derived-mode lockstep-mode prog-mode "Lockstep"
  "What the modes for P and IceT share."
  :syntax-table lockstep-syntax-table
  (setq-local comment-start "// "
              comment-end ""
              comment-start-skip "\\(?://+\\|/\\*+\\)\\s-*"
              indent-tabs-mode nil
              electric-indent-chars (append "{}\n" electric-indent-chars)
              indent-line-function #'lockstep-indent-line))

;;;###autoload
(define-derived-mode p-mode lockstep-mode "P"
  "For P: state machines that exchange events."
  (setq font-lock-defaults
        (list (lockstep--colours lockstep--p-words '("machine" "spec" "state" "fun" "event" "type" "enum" "module" "test" "interface")))))

;;;###autoload
(define-derived-mode icet-mode lockstep-mode "IceT"
  "For IceT: message-passing processes."
  (setq font-lock-defaults
        (list (lockstep--colours lockstep--icet-words '("process" "message" "set" "type" "enum" "const")))))

(defconst lockstep--declaration
  (concat "^[ \t]*\\(?:start[ \t]+\\|hot[ \t]+\\|cold[ \t]+\\)?"
          "\\(?:machine\\|spec\\|event\\|enum\\|type\\|module\\|test\\|fun\\|interface\\|eventset\\|param\\)\\_>[^.]*[;{=:,(]?")
  "How a declaration of P begins.")

;;;###autoload
(defun lockstep-choose-mode ()
  "`p-mode' for what is P; other files are called .p too.
P is what lies in or below a folder with a project file, or begins with a declaration of P."
  (if (or (and buffer-file-name (lockstep--project-folder buffer-file-name))
          (save-excursion
            (goto-char (point-min))
            (let ((case-fold-search nil))
              (re-search-forward lockstep--declaration (min (point-max) 20000) t))))
      (p-mode)
    (let ((auto-mode-alist (cl-remove 'lockstep-choose-mode auto-mode-alist :key #'cdr)))
      (set-auto-mode))))

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("\\.p\\'" . lockstep-choose-mode))
  (add-to-list 'auto-mode-alist '("\\.icet\\'" . icet-mode))
  (add-to-list 'auto-mode-alist '("\\.pproj\\'" . xml-mode)))

;;;; Projects

(defun lockstep--project-folder (place)
  "The folder with a project file, PLACE or above it."
  (locate-dominating-file place (lambda (folder) (and (file-directory-p folder) (directory-files folder nil "\\.pproj\\'" t 1)))))

(defun lockstep--project (place)
  "What PLACE belongs to, for project.el; only in buffers of ours."
  (when (derived-mode-p 'lockstep-mode)
    (let ((folder (lockstep--project-folder place)))
      (and folder (cons 'lockstep (expand-file-name folder))))))

(cl-defmethod project-root ((project (head lockstep)))
  "The folder of PROJECT."
  (cdr project))

(add-hook 'project-find-functions #'lockstep--project)

;;;; The server

(add-to-list 'eglot-server-programs (cons '(p-mode icet-mode) (lambda (&rest _) lockstep-command)))

(defun lockstep--server ()
  "The server of this buffer."
  (or (eglot-current-server) (user-error "Lockstep: no server is running here; M-x eglot starts it")))

(defun lockstep--execute (command &rest arguments)
  "Has the server do COMMAND with ARGUMENTS."
  (jsonrpc-request (lockstep--server) :workspace/executeCommand (list :command command :arguments (vconcat arguments))))

(defun lockstep--tests ()
  "The tests of all projects of the server: name and id of each case."
  (let ((tests (plist-get (jsonrpc-request (lockstep--server) :lockstep/tests nil) :tests)))
    (mapcar (lambda (test) (cons (plist-get test :name) (plist-get test :id))) tests)))

(defun lockstep--test-at-point ()
  "The name of the test whose declaration is at point."
  (save-excursion
    (end-of-line)
    (and (re-search-backward "^[ \t]*test\\_>[^\n]*?\\_<\\(\\(?:\\sw\\|\\s_\\)+\\)[ \t]*\\[" nil t) (match-string-no-properties 1))))

(defun lockstep--read-test (what)
  "Asks for the test that WHAT is to be done with."
  (let* ((tests (lockstep--tests))
         (near (lockstep--test-at-point))
         (default (car (cl-find-if (lambda (test) (and near (string-prefix-p near (car test)))) tests)))
         (name (completing-read (format-prompt what default) tests nil t nil nil default)))
    (or (cdr (assoc name tests)) (user-error "Lockstep: there is no test `%s'" name))))

(defun lockstep-run-test (test)
  "Runs TEST with random schedules; what comes of it is a message, and a finding if it is a bug."
  (interactive (list (lockstep--read-test "Run test")))
  (lockstep--execute "lockstep.runTest" test))

(defun lockstep-explore-test (test)
  "Searches all behaviours of TEST."
  (interactive (list (lockstep--read-test "Explore test")))
  (lockstep--execute "lockstep.exploreTest" test))

(defun lockstep-cancel-tests ()
  "Ends all runs."
  (interactive)
  (message "Lockstep: %d cancelled" (plist-get (lockstep--execute "lockstep.cancelTest") :cancelled)))

(defun lockstep-show-trace (test)
  "Opens the run of TEST that goes wrong."
  (interactive (list (lockstep--read-test "Show trace of")))
  (lockstep--execute "lockstep.showTrace" test))

(defun lockstep--code-at-point ()
  "The code of the finding at point."
  (cl-some (lambda (finding)
             (and (string-match "\\_<LS[0-9]\\{4\\}\\_>" (flymake-diagnostic-text finding))
                  (match-string 0 (flymake-diagnostic-text finding))))
           (flymake-diagnostics (line-beginning-position) (line-end-position))))

(defun lockstep-explain (code)
  "Opens what CODE means; by default that of the finding in this line."
  (interactive (list (let ((default (lockstep--code-at-point))) (read-string (format-prompt "Explain code" default) nil nil default))))
  (lockstep--execute "lockstep.explain" code))

;;;; Lenses

(defvar-local lockstep--overlays nil)

(defun lockstep--press (lens)
  "Does what LENS says."
  (lambda () (interactive) (apply #'lockstep--execute (plist-get lens :command) (append (plist-get lens :arguments) nil))))

(defun lockstep--lens-text (lens)
  "LENS as a piece of text that can be clicked, if it does something."
  (let ((title (plist-get lens :title)) (keys (make-sparse-keymap)))
    (if (member (plist-get lens :command) '(nil ""))
        (propertize title 'face 'shadow)
      (define-key keys [mouse-1] (lockstep--press lens))
      (propertize title 'face 'link 'mouse-face 'highlight 'keymap keys))))

(defun lockstep-refresh-lenses (&optional buffer)
  "Asks for the lenses of BUFFER again and shows them above their lines."
  (interactive)
  (with-current-buffer (or buffer (current-buffer))
    (when (and lockstep-lenses (derived-mode-p 'lockstep-mode) (eglot-current-server))
      (let ((here (current-buffer)))
        (jsonrpc-async-request (eglot-current-server) :textDocument/codeLens
                               (list :textDocument (eglot--TextDocumentIdentifier))
                               :success-fn (lambda (lenses) (when (buffer-live-p here) (lockstep--show-lenses here lenses)))
                               :error-fn #'ignore
                               :timeout-fn #'ignore)))))

(defun lockstep--show-lenses (buffer lenses)
  "Shows LENSES in BUFFER, instead of what was there."
  (with-current-buffer buffer
    (mapc #'delete-overlay lockstep--overlays)
    (setq lockstep--overlays nil)
    (save-excursion
      (save-restriction
        (widen)
        (dolist (group (seq-group-by (lambda (lens) (plist-get (plist-get (plist-get lens :range) :start) :line)) (append lenses nil)))
          (goto-char (point-min))
          (forward-line (car group))
          (let ((indent (make-string (current-indentation) ?\s))
                (texts (mapcar (lambda (lens) (lockstep--lens-text (plist-get lens :command))) (cdr group)))
                (overlay (make-overlay (point) (point))))
            (overlay-put overlay 'lockstep-lens (mapcar (lambda (lens) (plist-get lens :command)) (cdr group)))
            (overlay-put overlay 'before-string (concat indent (string-join texts (propertize " | " 'face 'shadow)) "\n"))
            (push overlay lockstep--overlays)))))))

(cl-defmethod eglot-handle-notification (_server (_method (eql lockstep/verdicts)) &key uri &allow-other-keys)
  "What is known about tests of the file URI has changed."
  (let ((buffer (find-buffer-visiting (eglot-uri-to-path uri))))
    (when buffer
      (lockstep-refresh-lenses buffer))))

(cl-defmethod eglot-handle-notification (_server (_method (eql lockstep/status)) &key &allow-other-keys)
  "How the server is: eglot shows as much by itself.")

(cl-defmethod eglot-handle-notification (_server (_method (eql lockstep/testsChanged)) &key &allow-other-keys)
  "Tests are asked for when they are needed.")

(add-hook 'eglot-managed-mode-hook
          (lambda ()
            (when (derived-mode-p 'lockstep-mode)
              (if (eglot-managed-p) (lockstep-refresh-lenses) (mapc #'delete-overlay lockstep--overlays)))))

(unless (fboundp 'eglot-uri-to-path)
  (defalias 'eglot-uri-to-path 'eglot--uri-to-path))

;;;; First minutes

(defun lockstep--call (&rest arguments)
  "What the program says when called with ARGUMENTS; an error if it fails."
  (with-temp-buffer
    (unless (eq 0 (apply #'call-process (car lockstep-command) nil t nil arguments))
      (user-error "%s" (string-trim (buffer-string))))
    (buffer-string)))

(defun lockstep-new (folder template)
  "Makes FOLDER with a small project of TEMPLATE in it, and opens it."
  (interactive (list (read-file-name "New project: ") (completing-read "Template: " '("client-server" "ring" "icet") nil t "client-server")))
  (lockstep--call "new" (expand-file-name folder) "--template" template)
  (dired folder))

(defun lockstep-open-sample (sample folder)
  "Copies SAMPLE into FOLDER and opens the copy."
  (interactive
   (let* ((known (plist-get (json-parse-string (lockstep--call "samples" "--json") :object-type 'plist) :samples))
          (names (mapcar (lambda (one) (plist-get one :name)) known)))
     (list (completing-read "Sample: " names nil t) (read-directory-name "Copy into: "))))
  (lockstep--call "samples" sample "--to" (expand-file-name folder))
  (dired (expand-file-name sample folder)))

(provide 'lockstep)
;;; lockstep.el ends here
